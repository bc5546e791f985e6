//! Tables of numbers as CSV.

use std::path::Path;

use vortice_core::Result;

use crate::beside::write_beside;

/// Writes a CSV table of numbers: one line of names, then the rows. Numbers are printed with as
/// many digits as it takes to read the same number back.
///
/// # Errors
/// If the file cannot be written; an older file of this name is then still there.
pub fn write_csv(
    path: impl AsRef<Path>,
    header: &[&str],
    rows: impl Iterator<Item = Vec<f64>>,
) -> Result<()> {
    write_beside(path.as_ref(), |file| {
        let mut table = csv::Writer::from_writer(file);
        table.write_record(header)?;
        for row in rows {
            table.write_record(row.iter().map(f64::to_string))?;
        }
        table.flush()
    })
}
