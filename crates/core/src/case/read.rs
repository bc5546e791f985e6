//! From text to case: the spelling is in `file`, the judgement in `check`.

use std::path::Path;

use serde::de::DeserializeOwned;

use super::check;
use super::meaning::Case;
use super::overrides::{apply_overrides, remove_key};
use super::text::CaseText;
use crate::beside::check_regular;
use crate::error::{Error, Result};

impl Case {
    /// Reads a case from its text; `name` is what errors call the text.
    ///
    /// # Errors
    /// If the text is not TOML, if a key is unknown, missing or of the wrong type, or if a value
    /// makes no sense: [`Error::Case`], pointing at the place.
    pub fn parse(text: &str, name: &str) -> Result<Self> {
        Self::parse_in(text, name, None)
    }

    /// The same of the text of a file in a folder, in which the files that it names are.
    fn parse_in(text: &str, name: &str, folder: Option<&Path>) -> Result<Self> {
        let page = CaseText::parse(text, name)?.in_folder(folder);
        let case = check::check(&page.decode()?, &page)?;
        let folder = folder.map(Path::to_path_buf);
        Ok(Self { name: name.to_owned(), source: text.to_owned(), folder, ..case })
    }

    /// Reads a case file.
    ///
    /// # Errors
    /// As [`Case::parse`], and [`Error::File`] if the file cannot be read.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        Self::read_with(path, &[])
    }

    /// Reads a case file and applies `key.path=value` settings to it first.
    ///
    /// # Errors
    /// As [`Case::read`] and [`apply_overrides`].
    pub fn read_with(path: impl AsRef<Path>, sets: &[String]) -> Result<Self> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = apply_overrides(&read_text(path)?, &name, sets)?;
        Self::parse_in(&text, &name, path.parent())
    }

    /// The same case with `key.path=value` settings applied to its text.
    ///
    /// Choices made by the methods of this type, like [`Case::device`], are not in the text and
    /// are lost.
    ///
    /// # Errors
    /// As [`Case::parse`] and [`apply_overrides`].
    pub fn with(&self, sets: &[String]) -> Result<Self> {
        let text = apply_overrides(&self.source, &self.name, sets)?;
        Self::parse_in(&text, &self.name, self.folder.as_deref())
    }

    /// The same case whose text lacks what stands under a key of a method's table, `fdm.stop`: [`Self::options`] then has its
    /// default. Nothing else is read again.
    ///
    /// # Errors
    /// If the text is not TOML.
    pub(super) fn without_option(&self, key: &str) -> Result<Self> {
        let source = remove_key(&self.source, &self.name, key)?;
        Ok(Self { source, ..self.clone() })
    }

    /// Refuses tables of no method: it may have been read before anybody said which methods there are.
    ///
    /// # Errors
    /// If there is such a table; the error points at it in the file.
    pub fn check_tables(&self) -> Result<()> {
        CaseText::parse(&self.source, &self.name)?.check_tables()
    }

    /// The options table of a method or of a kind of device (`gpu`), with its defaults for what is
    /// not given.
    ///
    /// # Errors
    /// If a key is unknown or has the wrong type; the error points at it in the file.
    pub fn options<T: DeserializeOwned>(&self, table: &str) -> Result<T> {
        CaseText::parse(&self.source, &self.name)?.decode_table(table)
    }
}

fn read_text(path: &Path) -> Result<String> {
    if path.is_dir() {
        return Err(Error::file(path, "is a folder", "name the case file in it, *.toml"));
    }
    check_regular(path)?;
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            // What is not there is a slip in the command, and no fault of the disk.
            let remedy = "check the path; `vortice cases` lists the cases that are built in".into();
            let argument = path.display().to_string();
            Error::Command { argument, problem: "there is no such file".into(), remedy }
        }
        _ => Error::file(path, error, "check that the file can be read"),
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        let problem = format!("byte {byte} is not UTF-8 text");
        Error::file(path, problem, "save the case file as UTF-8")
    })
}
