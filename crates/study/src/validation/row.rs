//! What one judgement said.

use std::fmt::{self, Write as _};

use serde::Serialize;

use crate::comparison::cells_words;
use vortice_core::format::percent_in_column;

/// Whether a flow is as near to its reference as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is.
    Pass,
    /// It is not.
    Fail,
    /// There was no flow to be judged.
    Broken,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pass => "pass",
            Self::Fail => "FAIL",
            Self::Broken => "failed to run",
        })
    }
}

/// One judgement of one flow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The case.
    pub case: String,
    /// The method.
    pub method: String,
    /// `cpu`, `cuda:0`.
    pub device: String,
    /// Cells of the finest grid.
    pub cells: [usize; 3],
    /// Name of the reference; empty if there was no flow.
    pub reference: String,
    /// What was judged: `largest error`, `u min`, `limit of u min`.
    pub what: String,
    /// The error, a share as the tolerance; not a number (null in JSON) if there is none.
    pub error: f64,
    /// The largest error that passes.
    pub tolerance: f64,
    /// The order of convergence, if there are several grids and one can be seen on them.
    pub order: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is no pass, in a sentence; empty for one.
    pub reason: String,
    /// Wall-clock time in s of the runs that this row judges.
    pub seconds: f64,
}

impl Row {
    /// `128 x 128`, or with the third direction if there is one.
    pub fn cells_words(&self) -> String {
        cells_words(self.cells)
    }

    /// `0.352 % of 1.000 %: pass`, `order 1.98`.
    pub fn words(&self) -> String {
        if self.verdict == Verdict::Broken {
            return format!("{}: {}", self.verdict, self.reason);
        }
        let order = self.order.map(|order| format!(", order {order:.2}")).unwrap_or_default();
        let (error, tolerance) = (told(self.error), told(self.tolerance));
        let because =
            if self.reason.is_empty() { String::new() } else { format!(": {}", self.reason) };
        format!("{error} of {tolerance}{order}, {}{because}", self.verdict)
    }
}

/// The rows as a table for people, with a last line that counts them.
pub fn row_table(rows: &[Row]) -> String {
    let header = [
        "case",
        "method",
        "device",
        "cells",
        "reference",
        "what",
        "error",
        "allowed",
        "order",
        "seconds",
        "verdict",
    ]
    .map(String::from);
    let lines: Vec<[String; 11]> =
        std::iter::once(header).chain(rows.iter().map(cells_of)).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: [usize; 11] = std::array::from_fn(|column| width(column).unwrap_or(0));
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        for (column, (cell, width)) in line.iter().zip(widths).enumerate() {
            // Numbers stand right.
            let _ = match column {
                6..=9 => write!(text, "{cell:>width$}  "),
                10 => write!(text, "{cell}"),
                _ => write!(text, "{cell:width$}  "),
            };
        }
        text.push('\n');
        if let Some(row) =
            number.checked_sub(1).map(|i| &rows[i]).filter(|row| !row.reason.is_empty())
        {
            let _ = writeln!(text, "    {}", row.reason);
        }
    }
    text + &format!("\n{}\n", counted(rows))
}

/// The rows as a table in Markdown: case, method and cells only where they change.
pub(super) fn row_markdown(rows: &[Row]) -> String {
    let mut text = String::from(
        "| case | method | cells | reference | error | allowed |\n|---|---|---|---|---|---|\n",
    );
    let mut last = [String::new(), String::new(), String::new()];
    for row in rows {
        let now = [row.case.clone(), row.method.clone(), row.cells_words()];
        let same = now.iter().zip(&last).take_while(|(now, last)| now == last).count();
        for (column, word) in now.iter().enumerate() {
            text.push_str("| ");
            if column >= same {
                let _ = write!(text, "{word} ");
            }
        }
        let what =
            if row.what == "largest error" { String::new() } else { format!(", {}", row.what) };
        let order = row.order.map(|order| format!(", order {order:.2}")).unwrap_or_default();
        let _ = writeln!(
            text,
            "| `{}`{what} | {}{order} | {} |",
            row.reference,
            told(row.error),
            told(row.tolerance)
        );
        last = now;
    }
    text
}

fn cells_of(row: &Row) -> [String; 11] {
    [
        row.case.clone(),
        row.method.clone(),
        row.device.clone(),
        row.cells_words(),
        row.reference.clone(),
        row.what.clone(),
        told(row.error),
        told(row.tolerance),
        row.order.map(|order| format!("{order:.2}")).unwrap_or_default(),
        format!("{:.1}", row.seconds),
        row.verdict.to_string(),
    ]
}

/// "40 of 41 checks passed, 1 failed to run".
fn counted(rows: &[Row]) -> String {
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let mut text = format!("{} of {} judgements passed", count(Verdict::Pass), rows.len());
    for (verdict, words) in [(Verdict::Fail, "failed"), (Verdict::Broken, "failed to run")] {
        if count(verdict) > 0 {
            let _ = write!(text, ", {} {words}", count(verdict));
        }
    }
    text
}

/// A share for people; nothing for no number.
fn told(share: f64) -> String {
    if share.is_nan() { String::new() } else { percent_in_column(share) }
}

/// A row for tests.
#[cfg(test)]
pub(super) fn example(case: &str, verdict: Verdict) -> Row {
    Row {
        case: case.into(),
        method: "fdm".into(),
        device: "cpu".into(),
        cells: [64, 64, 1],
        reference: "ghia".into(),
        what: "largest error".into(),
        error: 0.005,
        tolerance: 0.01,
        order: None,
        verdict,
        reason: String::new(),
        seconds: 1.25,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(error: f64, verdict: Verdict, reason: &str) -> Row {
        Row { error, reason: reason.into(), ..example("cavity", verdict) }
    }

    #[test]
    fn rows_stand_in_columns_with_their_reasons_and_are_counted() {
        let rows = [
            row(0.005, Verdict::Pass, ""),
            row(0.02, Verdict::Fail, ""),
            row(f64::NAN, Verdict::Broken, "diverged"),
        ];
        let text = row_table(&rows);
        let lines: Vec<&str> = text.lines().collect();
        let place = lines[0].find("verdict").unwrap();
        assert!(lines[1][place..].starts_with("pass") && lines[1].contains("64 x 64"), "{text}");
        assert!(lines[2].contains("2.000 %  1.000 %") && lines[2].ends_with("FAIL"), "{text}");
        assert!(lines[3].ends_with("failed to run") && lines[4].trim() == "diverged", "{text}");
        let last = lines[lines.len() - 1];
        assert_eq!(last, "1 of 3 judgements passed, 1 failed, 1 failed to run");
        let markdown = row_markdown(&rows[..2]);
        let lines: Vec<&str> = markdown.lines().skip(2).collect();
        assert_eq!(lines[0], "| cavity | fdm | 64 x 64 | `ghia` | 0.500 % | 1.000 % |");
        assert_eq!(lines[1], "| | | | `ghia` | 2.000 % | 1.000 % |");
        assert_eq!(rows[1].words(), "2.000 % of 1.000 %, FAIL");
        assert_eq!(rows[2].words(), "failed to run: diverged");
    }
}
