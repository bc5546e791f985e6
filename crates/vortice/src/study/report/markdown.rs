//! Tables for a text.

use vortice_output::Table;

use super::tables;
use crate::study::findings::Findings;

/// Limits and agreement of all studies, and what each run cost, as tables in Markdown.
pub(super) fn results(all: &[Findings]) -> String {
    let chapters = all.iter().map(|findings| {
        let tables = [
            tables::agreements(findings),
            tables::limits(findings),
            tables::deviations(findings),
            tables::expenses(findings),
        ];
        let tables = tables.iter().filter(|table| !table.rows.is_empty()).map(markdown);
        format!("# {}\n\n{}", findings.study.case.title, tables.collect::<Vec<_>>().join("\n"))
    });
    chapters.collect::<Vec<_>>().join("\n")
}

/// A table under its caption; bars in words would end a cell.
fn markdown(table: &Table) -> String {
    let line = |words: Vec<&str>| {
        let words = words.iter().map(|word| word.replace('|', "/"));
        format!("| {} |\n", words.collect::<Vec<_>>().join(" | "))
    };
    let names = table.columns.iter().map(|column| &*column.name).collect();
    let rule = table.columns.iter().map(|column| if column.numeric { "--:" } else { "---" });
    let mut text = format!("{}\n\n{}{}", table.caption, line(names), line(rule.collect()));
    for row in &table.rows {
        text += &line(row.iter().map(|cell| &*cell.text).collect());
    }
    text
}

#[cfg(test)]
mod tests {
    use vortice_output::{Cell, Column};

    use super::*;

    #[test]
    fn a_table_has_a_line_per_row() {
        let table = Table {
            caption: "what".into(),
            columns: vec![Column::words("name"), Column::numbers("x", "")],
            rows: vec![vec![Cell::word("a|b"), Cell::number(1.0, "1.0")]],
        };
        let expected = "what\n\n| name | x |\n| --- | --: |\n| a/b | 1.0 |\n";
        assert_eq!(markdown(&table), expected);
    }
}
