//! Tables for a text.

use vortice_plot::Table;

use super::tables;
use crate::comparison::findings::Findings;

/// Limits and agreement of all studies, and what each run cost, as tables in Markdown.
pub(super) fn results(all: &[Findings]) -> String {
    let chapters = all.iter().map(|findings| {
        let tables = [
            tables::agreements(findings),
            tables::limits(findings),
            tables::accuracies(findings),
            tables::ends(findings),
            tables::deviations(findings),
            tables::expenses(findings),
        ];
        let tables = tables.iter().filter(|table| !table.rows.is_empty()).map(markdown);
        let sentences = findings.sentences();
        let lines = |words: &[String]| -> String {
            words.iter().map(|one| format!("* {}\n", escaped(one))).collect()
        };
        let remarks: Vec<String> =
            tables::remarks(findings).into_iter().map(|remark| remark.text).collect();
        format!(
            "# {}\n\n{}\n{}\n{}",
            escaped(&findings.study.case.title),
            lines(&sentences),
            tables.collect::<Vec<_>>().join("\n"),
            lines(&remarks)
        )
    });
    chapters.collect::<Vec<_>>().join("\n")
}

/// A text in which nothing is HTML, ends a line or commands a terminal.
fn escaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => plain.push_str("&amp;"),
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            c if c.is_control() => plain.push(' '),
            c => plain.push(c),
        }
    }
    plain
}

/// A table under its caption; bars in words would end a cell.
fn markdown(table: &Table) -> String {
    let line = |words: Vec<&str>| {
        let words = words.iter().map(|word| escaped(word).replace('|', "\\|"));
        format!("| {} |\n", words.collect::<Vec<_>>().join(" | "))
    };
    let names = table.columns.iter().map(|column| &*column.name).collect();
    let rule = table.columns.iter().map(|column| if column.numeric { "--:" } else { "---" });
    let mut text =
        format!("{}\n\n{}{}", escaped(&table.caption), line(names), line(rule.collect()));
    for row in &table.rows {
        text += &line(row.iter().map(|cell| &*cell.text).collect());
    }
    text
}

#[cfg(test)]
mod tests {
    use vortice_plot::{Cell, Column};

    use super::*;

    #[test]
    fn a_table_has_a_line_per_row() {
        let table = Table {
            caption: "what".into(),
            columns: vec![Column::words("name"), Column::numbers("x", "")],
            rows: vec![vec![Cell::word("a|<b>\n&"), Cell::number(1.0, "1.0")]],
        };
        let expected = "what\n\n| name | x |\n| --- | --: |\n| a\\|&lt;b&gt; &amp; | 1.0 |\n";
        assert_eq!(markdown(&table), expected);
    }
}
