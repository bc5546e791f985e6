//! One error for the whole house: what was wrong, with which value, and what to do about it.

use std::path::{Path, PathBuf};

/// The result of everything in Vortice that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A span of a text, for an error message that points at it.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// What the text is called: a path, or the name of a built-in case.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// First byte of the span.
    pub start: usize,
    /// Length of the span in bytes.
    pub length: usize,
}

/// What went wrong. Each variant names the key or place, the value, and the remedy.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A key of the case file has a wrong name, type or value.
    #[error("{key}: {problem}")]
    Case {
        /// Dotted path of the key, `grid.cells`.
        key: String,
        /// What is wrong with it; contains the value.
        problem: String,
        /// What to write instead.
        remedy: String,
        /// Where it stands in the file, if it stands there.
        place: Option<Box<Place>>,
    },
    /// The command line asks for something that does not exist or cannot be.
    #[error("{argument}: {problem}")]
    Command {
        /// The argument as typed.
        argument: String,
        /// What is wrong with it.
        problem: String,
        /// What to type instead.
        remedy: String,
    },
    /// A method cannot do what the case asks.
    #[error("{key}: method `{method}` {problem}")]
    Unsupported {
        /// The method's name.
        method: &'static str,
        /// Dotted path of the key that asks for it.
        key: String,
        /// What it cannot do, as the rest of a sentence.
        problem: String,
        /// What to do instead.
        remedy: String,
    },
    /// A file or folder could not be read or written, or does not hold what it should.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
        /// What to do.
        remedy: String,
    },
    /// The flow is no longer finite.
    #[error("diverged at step {step} (t = {time:.6} s): {field} is {value} in cell {cell:?}")]
    Diverged {
        /// Step number.
        step: u64,
        /// Flow time in s.
        time: f64,
        /// Name of the field.
        field: &'static str,
        /// Global cell, counted from 0.
        cell: [usize; 3],
        /// The value found there.
        value: f64,
        /// Which key to change.
        remedy: String,
    },
    /// A device that was asked for is not there, or failed.
    #[error("device: {problem}")]
    Device {
        /// What happened.
        problem: String,
        /// What to do.
        remedy: String,
    },
    /// A rank stopped, or ranks cannot be laid out or reached.
    #[error("ranks: {problem}")]
    Ranks {
        /// What happened.
        problem: String,
        /// What to do.
        remedy: String,
    },
    /// Another rank failed; its own error says why.
    #[error("rank {rank} stopped with an error")]
    OtherRank {
        /// The rank that failed.
        rank: usize,
    },
}

impl Error {
    /// A wrong key without a place in a text; [`Error::at`] adds one.
    pub fn case(
        key: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        let (key, problem, remedy) = (key.into(), problem.into(), remedy.into());
        Self::Case { key, problem, remedy, place: None }
    }

    /// A method that cannot do what a key asks for; `problem` is the rest of a sentence.
    pub fn unsupported(
        method: &'static str,
        key: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        let (key, problem, remedy) = (key.into(), problem.into(), remedy.into());
        Self::Unsupported { method, key, problem, remedy }
    }

    /// A file that cannot be used.
    pub fn file(path: impl AsRef<Path>, problem: impl ToString, remedy: impl Into<String>) -> Self {
        let (path, problem) = (path.as_ref().to_path_buf(), problem.to_string());
        Self::File { path, problem, remedy: remedy.into() }
    }

    /// That a rank sent a message of another length than this rank expects.
    pub fn another_length(peer: usize) -> Self {
        Self::Ranks {
            problem: format!("rank {peer} sent a message of another length than expected"),
            remedy: "run all ranks with the same program and the same case".into(),
        }
    }

    /// The same error, pointing at a place in the case file; other errors are left as they are.
    #[must_use]
    pub fn at(mut self, here: Place) -> Self {
        if let Self::Case { place, .. } = &mut self {
            *place = Some(Box::new(here));
        }
        self
    }

    /// What to do about it, in one sentence; empty if nothing can be done here.
    pub fn remedy(&self) -> &str {
        match self {
            Self::Case { remedy, .. }
            | Self::Command { remedy, .. }
            | Self::Unsupported { remedy, .. }
            | Self::File { remedy, .. }
            | Self::Diverged { remedy, .. }
            | Self::Device { remedy, .. }
            | Self::Ranks { remedy, .. } => remedy,
            Self::OtherRank { .. } => "",
        }
    }

    /// The place in the case file, if the error has one.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Case { place, .. } => place.as_deref(),
            _ => None,
        }
    }

    /// The exit code of the program: 1 diverged, 2 the case or the command is wrong, 3 device,
    /// ranks or files.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Diverged { .. } => 1,
            Self::Case { .. } | Self::Command { .. } | Self::Unsupported { .. } => 2,
            Self::File { .. }
            | Self::Device { .. }
            | Self::Ranks { .. }
            | Self::OtherRank { .. } => 3,
        }
    }
}
