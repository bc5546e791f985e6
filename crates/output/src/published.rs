//! How a step of fields comes to readers: the file first, then its companion, each only when the disk has what it tells of.

use std::path::{Path, PathBuf};

use vortice_core::{Result, cannot_write};

use crate::companion::Companion;
use crate::container;
use crate::vtkhdf::VtkHdf;

/// The file of fields and its companion, on the first rank.
#[derive(Default)]
pub(crate) struct Published {
    /// Once the run has begun.
    pub(crate) file: Option<VtkHdf>,
    /// Once a step is recorded.
    pub(crate) companion: Option<Companion>,
}

/// A step whose values are written.
pub(crate) struct NewStep {
    pub(crate) path: PathBuf,
    /// Its name until now, of a file that gets its own with its first step.
    pub(crate) made_as: Option<PathBuf>,
    pub(crate) time: f64,
    pub(crate) number: u64,
    pub(crate) text: CompanionText,
}

/// What the companion says of a step.
pub(crate) enum CompanionText {
    /// This alone, for which it has room.
    Step(String),
    /// All steps.
    Steps(String),
}

impl Published {
    /// Shows readers the step; the disk has it then.
    ///
    /// # Errors
    /// If the folder or disk refuses; readers have the steps of before.
    pub(crate) fn publish(&mut self, step: NewStep) -> Result<()> {
        let NewStep { path, made_as, time, number, text } = step;
        if let Some(file) = &mut self.file {
            file.publish(time, number).map_err(|error| cannot_write(&path, &error))?;
        }
        if let Some(new) = made_as {
            rename(&new, &path).map_err(|error| cannot_write(&path, &error))?;
        }
        self.name(&path, text)
    }

    /// Writes into the companion of a file.
    ///
    /// # Errors
    /// If the folder or disk refuses.
    pub(crate) fn name(&mut self, path: &Path, text: CompanionText) -> Result<()> {
        let path = path.with_extension("xmf");
        match (&mut self.companion, text) {
            (Some(companion), CompanionText::Step(text)) => {
                companion.append(text).map_err(|error| cannot_write(&path, &error))
            }
            (companion, CompanionText::Step(text) | CompanionText::Steps(text)) => {
                *companion = Some(Companion::create(&path, text)?);
                Ok(())
            }
        }
    }
}

/// Gives the file with its first step its name. A companion of an older file goes before, since it may name more steps.
fn rename(new: &Path, path: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(path.with_extension("xmf")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => std::fs::rename(new, path)?,
    }
    container::sync_folder(path)
}
