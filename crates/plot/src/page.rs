//! One self-contained page: HTML that works offline, on a phone, printed and projected.

pub(crate) mod markup;
mod table;

use crate::drawing::Drawing;

/// A page. All texts are plain: nothing in them is taken for markup.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// One sentence that says what the page shows.
    pub lead: String,
    /// Its sections, listed in a table of contents.
    pub sections: Vec<Section>,
    /// What stands at the end: program, version, date.
    pub foot: String,
}

/// A part of a page with a heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// What it holds, from top to bottom.
    pub parts: Vec<Part>,
}

/// One thing in a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Paragraphs, separated by empty lines.
    Text(String),
    /// A sentence that must not be overlooked, such as that a run failed.
    Note(Tone, String),
    /// A heading within the section.
    Heading(String),
    /// Names and their values.
    Facts(Vec<(String, String)>),
    /// A table that can be sorted by each of its columns.
    Table(Table),
    /// Figures side by side where there is room; wide ones have a row each.
    Figures {
        /// The figures in reading order.
        figures: Vec<Figure>,
        /// Whether each takes the whole width.
        wide: bool,
    },
    /// Parts that are there when asked for, under a line of text.
    Folded(String, Vec<Part>),
    /// Text as it was typed: a case file or a command.
    Code(String),
    /// Files beside the page.
    Files(Vec<Link>),
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// Its columns; the first stays in sight when a narrow screen scrolls.
    pub columns: Vec<Column>,
    /// Its rows, as many cells as columns in each; missing ones are empty.
    pub rows: Vec<Vec<Cell>>,
}

/// The head of a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Name, and unit if there is one.
    pub name: String,
    /// What it means in one sentence, listed below the table; nothing if the name says it.
    pub help: String,
    /// Whether it holds numbers, which are set flush right and sorted by value.
    pub numeric: bool,
}

impl Column {
    /// A column of words.
    pub fn words(name: &str) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// A column of numbers.
    pub fn numbers(name: &str, help: &str) -> Self {
        Self { name: name.into(), help: help.into(), numeric: true }
    }
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// What is read.
    pub text: String,
    /// What it is sorted by; without one it comes last in a column of numbers.
    pub value: Option<f64>,
    /// How it is marked.
    pub tone: Tone,
}

impl Cell {
    /// A word.
    pub fn word(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A number as it is to be read.
    pub fn number(value: f64, text: impl Into<String>) -> Self {
        Self { text: text.into(), value: Some(value), ..Self::default() }
    }

    /// The same cell, marked.
    pub fn with_tone(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }
}

/// How a cell or a note is marked: in colour, and with a sign that does not need it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Not at all.
    #[default]
    Plain,
    /// As within its tolerance, or the best.
    Good,
    /// As failed.
    Bad,
    /// As of less weight.
    Muted,
}

/// A drawing with its caption.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// Stem of its file, and the place on the page that a link can lead to.
    pub name: String,
    /// What stands below it.
    pub caption: String,
    /// What is seen on it, for those who cannot see it.
    pub alternative: String,
    /// The drawing.
    pub drawing: Drawing,
}

/// A file beside the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link {
    /// Path from the page's folder.
    pub path: String,
    /// What the file holds.
    pub about: String,
}

impl Tone {
    /// The word that the style knows it by.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Muted => "muted",
        }
    }
}
