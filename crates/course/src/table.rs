//! Tables for people.

use vortice_core::format::significant;

use crate::mark::Mark;

/// `question | your value | allowed | points`, with a remark behind.
pub fn mark_table(marks: &[Mark]) -> String {
    let heading = ["question", "your value", "allowed", "points", ""].map(String::from);
    let rows = marks.iter().map(|mark| {
        let points = mark.points.map_or_else(|| "?".into(), significant);
        let points = format!("{points} of {}", significant(mark.of));
        [mark.id.clone(), mark.given.clone(), mark.allowed.clone(), points, mark.remark.clone()]
    });
    columns(&std::iter::once(heading).chain(rows).collect::<Vec<_>>())
}

/// Wider cells push the rest of their row aside: the width of a format is a small number.
const WIDEST: usize = 100;

/// Rows whose cells stand below each other.
pub(crate) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; N] = std::array::from_fn(|column| width(column).unwrap_or(0).min(WIDEST));
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
