//! A sheet of answers, `answers.toml`: written by a student, and trusted in nothing.

use std::path::{Path, PathBuf};

use crate::small_file::{LARGEST_SHEET, read_small};
use crate::spelling::shown;

/// The name of the file.
pub(crate) const SHEET: &str = "answers.toml";

/// What a student answered.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The folder that files named in it lie in.
    pub(crate) folder: PathBuf,
    /// The text of the file.
    pub(crate) text: String,
    /// The lab that it says it is of.
    pub(crate) lab: Option<String>,
    /// Answers by the ids of questions.
    pub(crate) answers: toml::Table,
}

impl Sheet {
    /// Reads a sheet, or says why it cannot be read, as the rest of a sentence.
    ///
    /// # Errors
    /// If it is missing, no plain file, too large, not UTF-8 or not TOML.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = read_small(path, LARGEST_SHEET)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        Self::parse(&text).map(|sheet| Self { folder, ..sheet })
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut answers: toml::Table = text.parse().map_err(|error| not_toml(text, &error))?;
        let lab = match answers.remove("lab") {
            Some(toml::Value::String(lab)) => Some(lab),
            _ => None,
        };
        Ok(Self { folder: PathBuf::new(), text: text.to_owned(), lab, answers })
    }
}

fn not_toml(text: &str, error: &toml::de::Error) -> String {
    let at = error.span().map_or(0, |span| span.start.min(text.len()));
    let line = 1 + text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
    let problem = error.message().lines().next().unwrap_or("wrong");
    format!("is not TOML: line {line}: {}", shown(problem))
}

#[cfg(test)]
mod tests {
    use super::Sheet;

    #[test]
    fn a_sheet_is_toml_and_names_its_lab() {
        let sheet = Sheet::parse("lab = \"lab2\"\nomega = 1.5\n").expect("a sheet");
        assert_eq!((sheet.lab.as_deref(), sheet.answers.len()), (Some("lab2"), 1));
        let wrong = Sheet::parse("a = 1\na = 2\n").expect_err("twice");
        assert!(wrong.contains("line 2") && wrong.contains("duplicate"), "{wrong}");
        let nested = format!("a = {}{}", "[".repeat(30_000), "]".repeat(30_000));
        assert!(Sheet::parse(&nested).expect_err("too deep").contains("not TOML"));
    }
}
