//! What students wrote, as it may be shown: in a terminal and in a spreadsheet.

/// More of an answer says no more.
const LONGEST: usize = 60;

/// A text in one short line: control characters and those that turn the direction of writing are spelt out.
pub(crate) fn shown(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut line = String::new();
    for (n, c) in text.trim().chars().enumerate() {
        if n == LONGEST {
            line.push_str("...");
            break;
        }
        if c.is_control() || turns(c) { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

/// A text for a cell of a table: what a spreadsheet would take for a formula begins with a quote.
pub(crate) fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{cell, shown};

    #[test]
    fn nothing_commands_a_terminal_or_a_spreadsheet() {
        assert_eq!(shown("\u{1b}[2J a\nb"), "\\u{1b}[2J a\\nb");
        assert_eq!(shown(&"x".repeat(100)).len(), 63);
        assert_eq!(cell("=cmd()"), "'=cmd()");
        assert_eq!(cell("anna"), "anna");
    }
}
