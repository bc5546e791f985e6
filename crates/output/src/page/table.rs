//! A table in HTML.

use maud::{Markup, html};

use super::markup::class;
use super::{Cell, Column, Table, Tone};

/// The table in a box of its own that scrolls, and the meaning of its columns below.
pub(super) fn table(table: &Table) -> Markup {
    let explained = table.columns.iter().filter(|column| !column.help.is_empty());
    let explained: Vec<&Column> = explained.collect();
    html! {
        div.table {
            div.scroll tabindex="0" role="region" aria-label=(table.caption) {
                table.sortable {
                    caption { span { (table.caption) } }
                    thead { tr { @for column in &table.columns { (head(column)) } } }
                    tbody { @for row in &table.rows { tr { (cells(table, row)) } } }
                }
            }
            @if !explained.is_empty() {
                dl.columns {
                    @for column in explained { div { dt { (column.name) } dd { (column.help) } } }
                }
            }
        }
    }
}

fn head(column: &Column) -> Markup {
    let title = (!column.help.is_empty()).then_some(&column.help);
    html! { th.number[column.numeric] scope="col" title=[title] { (column.name) } }
}

fn cells(table: &Table, row: &[Cell]) -> Markup {
    let missing = Cell::default();
    html! {
        @for (n, column) in table.columns.iter().enumerate() {
            @let one = row.get(n).unwrap_or(&missing);
            @let key = one.value.filter(|value| value.is_finite());
            @if n == 0 {
                th.number[column.numeric].(class(one.tone)) scope="row" data-key=[key] {
                    (sign(one)) (one.text)
                }
            } @else {
                td.number[column.numeric].(class(one.tone)) data-key=[key] { (sign(one)) (one.text) }
            }
        }
    }
}

/// A sign that says without colour what the colour says.
fn sign(cell: &Cell) -> Markup {
    html! {
        @match cell.tone {
            Tone::Good => span.sign { "✓ " },
            Tone::Bad => span.sign { "✗ " },
            Tone::Plain | Tone::Muted => {},
        }
    }
}
