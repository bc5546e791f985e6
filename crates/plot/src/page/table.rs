//! A table in HTML.

use maud::{Markup, html};

use super::{Cell, Column, Table, Tone};

/// Letters of a text that is a sentence, and not a name or a number: it is broken into lines.
const LONG: usize = 18;

/// The table in a box of its own that scrolls, and the meaning of its columns below.
pub(crate) fn table(table: &Table) -> Markup {
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
    html! { th class=(classes(column, Tone::Plain)) scope="col" title=[title] { (column.name) } }
}

fn cells(table: &Table, row: &[Cell]) -> Markup {
    let missing = Cell::default();
    html! {
        @for (n, column) in table.columns.iter().enumerate() {
            @let one = row.get(n).unwrap_or(&missing);
            @let class = classes(column, one.tone) + if one.text.len() > LONG { " long" } else { "" };
            @let key = one.value.filter(|x| x.is_finite());
            @if n == 0 {
                th class=(class) scope="row" data-key=[key] { (sign(one)) (one.text) }
            } @else {
                td class=(class) data-key=[key] { (sign(one)) (one.text) }
            }
        }
    }
}

/// What the style and the script know a cell by.
fn classes(column: &Column, tone: Tone) -> String {
    let kind = if column.numeric { "number" } else { "word" };
    format!("{kind} {}", tone.class())
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
