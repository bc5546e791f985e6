//! Errors for people: what is wrong, where it stands in the file, and what to do.

use std::fmt;
use std::io::IsTerminal;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode,
};
use vortice_core::{Error, Place};

use crate::say::{self, harmless};

/// Prints an error to standard error, with colours on a terminal unless `NO_COLOR` is set.
pub(crate) fn report(error: &Error) {
    report_of_rank(error, None);
}

/// The same, with the number of the rank whose error it is if the others do not have it.
pub(crate) fn report_of_rank(error: &Error, rank: Option<usize>) {
    let terminal = std::io::stderr().is_terminal();
    let colours = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    say::painted(&message(error, rank, colours));
}

fn message(error: &Error, rank: Option<usize>, colours: bool) -> String {
    if let Some(place) = error.place()
        && place.start + place.length <= place.text.len()
        && let Some(picture) = pointing(error, place, colours)
    {
        return picture;
    }
    // All ranks know that a flow diverges, whichever of them is the first to say so.
    let rank = rank.filter(|_| !matches!(error, Error::Diverged { .. }));
    let whose = rank.map(|rank| format!("on rank {rank}: ")).unwrap_or_default();
    let mut text = format!("error: {whose}{error}");
    if !error.remedy().is_empty() {
        text += &format!("\n  help: {}", error.remedy());
    }
    harmless(&text)
}

/// The message with the lines of the file that it speaks of.
fn pointing(error: &Error, place: &Place, colours: bool) -> Option<String> {
    let mut theme =
        if colours { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    theme.characters.error = "error:".into();
    let handler = GraphicalReportHandler::new_themed(theme).with_wrap_lines(false);
    let source = NamedSource::new(harmless(&place.name), blanked(&place.text));
    let mut text = String::new();
    let (problem, remedy) = (harmless(&error.to_string()), harmless(error.remedy()));
    handler.render_report(&mut text, &Pointing { problem, remedy, place, source }).ok()?;
    Some(text.trim_end().to_string())
}

/// A text of the same length without characters that command a terminal.
fn blanked(text: &str) -> String {
    let blank = |c: char| c.is_control() && c != '\n' && c != '\t';
    let shown = |c: char| if blank(c) { "?".repeat(c.len_utf8()) } else { c.to_string() };
    text.chars().map(shown).collect()
}

/// An error with a place, in miette's terms.
#[derive(Debug)]
struct Pointing<'a> {
    problem: String,
    remedy: String,
    place: &'a Place,
    source: NamedSource<String>,
}

impl fmt::Display for Pointing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for Pointing<'_> {}

impl Diagnostic for Pointing<'_> {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (!self.remedy.is_empty()).then(|| Box::new(&self.remedy) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let Place { start, length, .. } = *self.place;
        let span = LabeledSpan::new(Some("here".into()), start, length);
        Some(Box::new(std::iter::once(span)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error() -> Error {
        Error::case("grid.cells", "0 cells in x", "give every direction at least one cell")
    }

    #[test]
    fn an_error_says_what_and_what_to_do() {
        let text = message(&error(), None, false);
        assert_eq!(
            text,
            "error: grid.cells: 0 cells in x\n  help: give every direction at least one cell"
        );
    }

    #[test]
    fn an_error_of_one_rank_says_which() {
        assert!(message(&error(), Some(2), false).starts_with("error: on rank 2: grid.cells: 0"));
    }

    #[test]
    fn an_error_with_a_place_shows_it() {
        let text = "title = \"x\"\ngrid = { cells = [0, 1, 1] }\n".to_string();
        let place = Place { name: "a.toml".into(), start: 29, length: 9, text };
        let text = message(&error().at(place), None, false);
        for part in ["error: grid.cells: 0 cells in x", "a.toml:2:18", "[0, 1, 1]", "help: give"] {
            assert!(text.contains(part), "{text}");
        }
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn what_a_file_says_commands_no_terminal() {
        let error = Error::case("title", "\u{1b}[2J is odd", "write \u{7}words");
        let text = "title = \"\u{1b}[31mred\u{9b}\"\n".to_string();
        let place = Place { name: "\u{1b}a.toml".into(), start: 8, length: 7, text };
        for message in [message(&error, None, false), message(&error.at(place), None, false)] {
            assert!(!message.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{message:?}");
            assert!(message.contains("title"), "{message}");
        }
    }

    #[test]
    fn a_place_beyond_the_text_still_gives_the_message() {
        let place = Place { name: "a".into(), start: 500, length: 9, text: "x".into() };
        assert!(message(&error().at(place), None, false).starts_with("error: grid.cells"));
    }
}
