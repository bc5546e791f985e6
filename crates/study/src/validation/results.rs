//! All rows of a validation, with what they were computed by.

use std::path::Path;

use serde::Serialize;
use vortice_core::write_beside;
use vortice_core::{Error, Result};
use vortice_output::plain_cell;

use super::row::{Row, Verdict, row_markdown};
use crate::comparison::Machine;

/// The rows, and when and where they were computed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    /// Version, date and machine.
    #[serde(flatten)]
    pub machine: Machine,
    /// What the GPU is called, if there is one.
    pub gpu: Option<String>,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
    /// What was judged.
    pub rows: Vec<Row>,
}

impl Results {
    /// Without rows.
    pub fn new(gpu: Option<String>) -> Self {
        Self { machine: Machine::here(), gpu, interrupted: false, rows: Vec::new() }
    }

    /// Whether every row is a pass.
    pub fn all_passed(&self) -> bool {
        self.rows.iter().all(|row| row.verdict == Verdict::Pass)
    }

    /// All of it as JSON.
    ///
    /// # Errors
    /// Never in practice: everything in it can be written as JSON.
    pub fn json(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self);
        text.map(|text| text + "\n").map_err(|error| {
            Error::file("validation.json", error, "tell those who write this program")
        })
    }

    /// Writes `validation.csv`, `validation.json` and the table `validation.md` into a folder.
    ///
    /// # Errors
    /// If a file cannot be written; an older file of this name is then still there.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let json = self.json()?;
        write_beside(&folder.join("validation.json"), |file| file.write_all(json.as_bytes()))?;
        let markdown = row_markdown(&self.rows);
        write_beside(&folder.join("validation.md"), |file| file.write_all(markdown.as_bytes()))?;
        write_beside(&folder.join("validation.csv"), |file| {
            let mut table = csv::Writer::from_writer(file);
            table.write_record([
                "case",
                "method",
                "device",
                "nx",
                "ny",
                "nz",
                "reference",
                "what",
                "error",
                "tolerance",
                "order",
                "seconds",
                "verdict",
                "reason",
            ])?;
            for row in &self.rows {
                table.write_record(record(row))?;
            }
            table.flush()
        })
    }
}

fn record(row: &Row) -> Vec<String> {
    let number = |x: f64| if x.is_nan() { String::new() } else { x.to_string() };
    let [nx, ny, nz] = row.cells.map(|n| n.to_string());
    vec![
        plain_cell(&row.case),
        row.method.clone(),
        plain_cell(&row.device),
        nx,
        ny,
        nz,
        plain_cell(&row.reference),
        plain_cell(&row.what),
        number(row.error),
        number(row.tolerance),
        row.order.map(|order| order.to_string()).unwrap_or_default(),
        format!("{:.3}", row.seconds),
        row.verdict.to_string(),
        plain_cell(&row.reason),
    ]
}
