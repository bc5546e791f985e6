//! The text of a case: where each key stands in it, and errors that point there.

use std::ops::Range;
use std::path::Path;

use serde::de::{DeserializeOwned, IgnoredAny, IntoDeserializer};
use serde_path_to_error::Segment;
use toml_edit::{Document, Item, Key};

use super::{keys, tables};
use crate::error::{Error, Place, Result};

/// A table whose keys belong to a method or a device, which reads it when it is built.
pub(super) type ForeignTable = std::collections::BTreeMap<String, IgnoredAny>;

type Syntax = toml_edit::de::Error;

/// A case file that is correct TOML.
pub(super) struct CaseText<'a> {
    name: &'a str,
    document: Document<&'a str>,
    /// The folder of its file, if it is one.
    folder: Option<&'a Path>,
}

impl<'a> CaseText<'a> {
    /// Reads the TOML; `name` is what errors call the text.
    pub(super) fn parse(text: &'a str, name: &'a str) -> Result<Self> {
        match Document::parse(text) {
            Ok(document) => Ok(Self { name, document, folder: None }),
            Err(error) => Err(syntax_error(text, name, &error)),
        }
    }

    /// The same text as that of a file in a folder.
    pub(super) fn in_folder(self, folder: Option<&'a Path>) -> Self {
        Self { folder, ..self }
    }

    /// The folder that files of the case lie in or below; none of a case that is no file.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder
    }

    /// The whole text without the tables of methods as `T`, unknown keys refused.
    pub(super) fn decode<T: DeserializeOwned>(&self) -> Result<T> {
        self.check_tables()?;
        let mut own = self.document.as_table().clone();
        own.retain(|key, item| keys::is_own(key) || !item.is_table_like());
        self.decode_item(Item::Table(own), "")
    }

    /// Refuses a table of no method, and a method's key that is no table.
    pub(super) fn check_tables(&self) -> Result<()> {
        let Some(methods) = tables::methods() else { return Ok(()) };
        for (name, item) in self.document.iter().filter(|(name, _)| !keys::is_own(name)) {
            if methods.contains(&name) {
                self.decode_item::<ForeignTable>(item.clone(), name)?;
            } else if item.is_table_like() {
                let span = self.document.key(name).and_then(Key::span);
                return Err(self.unknown_key("", name, &top_keys(), span));
            }
        }
        Ok(())
    }

    /// One table of the text as `T`; a table that is not there is empty.
    pub(super) fn decode_table<T: DeserializeOwned>(&self, key: &str) -> Result<T> {
        let empty = || Item::Table(toml_edit::Table::new());
        self.decode_item(self.document.get(key).cloned().unwrap_or_else(empty), key)
    }

    fn decode_item<T: DeserializeOwned>(&self, item: Item, key: &str) -> Result<T> {
        // Only an item that is not there is no value.
        let value = item.into_value().unwrap_or_else(|_| toml_edit::InlineTable::new().into());
        serde_path_to_error::deserialize(value.into_deserializer()).map_err(|error| {
            let key = join(key, &dotted(error.path()));
            self.spelling_error(&key, error.inner())
        })
    }

    /// Whether the key is written in the text.
    pub(super) fn has(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    /// Whether the text says that there is one cell in z.
    fn is_plane(&self) -> bool {
        let cells = self.find("grid.cells").and_then(Item::as_array);
        cells.and_then(|cells| cells.get(2)?.as_integer()) == Some(1)
    }

    /// An error about a key; it points at its value, or at the table where it is missing.
    pub(super) fn error(
        &self,
        key: &str,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Error {
        let error = Error::case(key, problem, remedy);
        match self.span(key) {
            Some(span) => error.at(place(self.document.raw(), self.name, span)),
            None => error,
        }
    }

    fn span(&self, key: &str) -> Option<Range<usize>> {
        let parent = || key.rfind(['.', '[']).and_then(|end| self.span(&key[..end]));
        self.find(key).and_then(Item::span).or_else(parent)
    }

    /// What stands under a key.
    pub(super) fn find(&self, key: &str) -> Option<&Item> {
        key.split(['.', '[']).try_fold(self.document.as_item(), |item, name| {
            match name.strip_suffix(']') {
                Some(number) => item.get(number.parse::<usize>().ok()?),
                None => item.get(name),
            }
        })
    }

    /// An error for people from one of serde's.
    fn spelling_error(&self, key: &str, error: &Syntax) -> Error {
        let message = error.message();
        let (key, problem, remedy) = match Complaint::read(message) {
            Complaint::UnknownKey(name, known) => {
                let parent = key.strip_suffix(&name).unwrap_or(key).trim_end_matches('.');
                let known = if parent.is_empty() { top_keys() } else { known };
                return self.unknown_key(parent, &name, &known, error.span());
            }
            Complaint::UnknownWord(word, known) => {
                let problem = format!("`{word}` is not a word that is known here");
                (key.to_owned(), problem, keys::instead_of_value(key, &word, &known))
            }
            Complaint::Missing(name) => {
                let key = join(key, &name);
                let remedy = match self.is_plane() {
                    true => keys::how_to_write_in_a_plane(&key),
                    false => keys::how_to_write(&key),
                };
                (key, "is missing".into(), remedy)
            }
            Complaint::Other => {
                // A number of a vector is not a key: `grid.cells` and not `grid.cells[0]`.
                let number = key.rfind('[').filter(|_| key.ends_with(']'));
                let vector = key[..number.unwrap_or(key.len())].to_owned();
                let (problem, remedy) = match message.split_once("; ") {
                    Some((problem, remedy)) => (problem.to_owned(), remedy.to_owned()),
                    None => (message.to_owned(), keys::how_to_write(&vector)),
                };
                (vector, problem, remedy)
            }
        };
        self.error_at(error.span(), &key, problem, remedy)
    }

    fn unknown_key(
        &self,
        parent: &str,
        name: &str,
        known: &[String],
        span: Option<Range<usize>>,
    ) -> Error {
        let problem = format!("there is no key `{name}` here");
        let remedy = keys::instead_of_key(parent, name, known);
        self.error_at(span, &join(parent, name), problem, remedy)
    }

    /// An error about a key that points at a span, or else at the key's value.
    fn error_at(
        &self,
        span: Option<Range<usize>>,
        key: &str,
        problem: String,
        remedy: String,
    ) -> Error {
        match span {
            Some(span) => {
                Error::case(key, problem, remedy).at(place(self.document.raw(), self.name, span))
            }
            None => self.error(key, problem, remedy),
        }
    }
}

/// The keys that can stand at the top of a case file.
fn top_keys() -> Vec<String> {
    let methods = tables::methods().unwrap_or_default().into_iter();
    keys::own().chain(methods).map(str::to_owned).collect()
}

/// What serde complained about.
enum Complaint {
    UnknownKey(String, Vec<String>),
    UnknownWord(String, Vec<String>),
    Missing(String),
    Other,
}

impl Complaint {
    /// Takes serde's fixed sentences apart.
    fn read(message: &str) -> Self {
        let rest = |start| message.strip_prefix(start);
        if let Some((name, known)) = rest("unknown field `").and_then(name_and_known) {
            Self::UnknownKey(name, known)
        } else if let Some((word, known)) = rest("unknown variant `").and_then(name_and_known) {
            Self::UnknownWord(word, known)
        } else if let Some(name) = rest("missing field `") {
            Self::Missing(name.trim_end_matches('`').to_owned())
        } else {
            Self::Other
        }
    }
}

/// "name`, expected one of `a`, `b`" as name and a, b.
fn name_and_known(rest: &str) -> Option<(String, Vec<String>)> {
    let (name, expected) =
        rest.split_once("`, expected ").or_else(|| rest.split_once("`, there are no "))?;
    let known = expected.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    Some((name.to_owned(), known))
}

/// `solid[0].low` from the path that serde walked.
fn dotted(path: &serde_path_to_error::Path) -> String {
    path.iter().fold(String::new(), |key, segment| match segment {
        Segment::Map { key: name } | Segment::Enum { variant: name } => join(&key, name),
        Segment::Seq { index } => format!("{key}[{index}]"),
        Segment::Unknown => key,
    })
}

fn join(parent: &str, name: &str) -> String {
    match (parent, name) {
        ("", name) => name.to_owned(),
        (parent, "") => parent.to_owned(),
        (parent, name) => format!("{parent}.{name}"),
    }
}

/// An error for text that is not TOML, with line and column.
pub(super) fn syntax_error(text: &str, name: &str, error: &toml_edit::TomlError) -> Error {
    let span = error.span().unwrap_or(0..0);
    let start = floor_char_boundary(text, span.start);
    let line = text[..start].matches('\n').count() + 1;
    let column = text[..start].chars().rev().take_while(|&c| c != '\n').count() + 1;
    let message = error.message().trim().replace('\n', ", ");
    let problem = format!("line {line}, column {column}: {message}");
    let remedy = "the file must be TOML: `key = value` lines, text in double quotes, [tables]";
    Error::case("syntax", problem, remedy).at(place(text, name, span))
}

fn place(text: &str, name: &str, span: Range<usize>) -> Place {
    let start = floor_char_boundary(text, span.start);
    let end = floor_char_boundary(text, span.end).max(start);
    Place { name: name.into(), text: text.into(), start, length: end - start }
}

fn floor_char_boundary(text: &str, byte: usize) -> usize {
    let byte = byte.min(text.len());
    (0..=byte).rev().find(|&b| text.is_char_boundary(b)).unwrap_or(0)
}
