//! How a step of fields comes to readers: the file first, then its companion, each only when the disk has what it tells of.

use std::path::{Path, PathBuf};

use vortice_core::{Result, cannot_write};

use crate::companion::Companion;
use crate::container;
use crate::vtkhdf::VtkHdf;
use crate::xdmf::Xdmf;

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
    /// What the companion says of it and of the steps before.
    pub(crate) names: Xdmf,
}

impl Published {
    /// Shows readers the step; the disk has it then.
    ///
    /// # Errors
    /// If the folder or disk refuses; readers have the steps of before.
    pub(crate) fn publish(&mut self, step: NewStep) -> Result<()> {
        let NewStep { path, made_as, time, number, names } = step;
        if let Some(file) = &mut self.file {
            file.publish(time, number).map_err(|error| cannot_write(&path, &error))?;
        }
        if let Some(new) = made_as {
            rename(&new, &path).map_err(|error| cannot_write(&path, &error))?;
        }
        self.name(&path, &names)
    }

    /// Writes the last step into the companion of a file, or all of them into a new one.
    pub(crate) fn name(&mut self, path: &Path, names: &Xdmf) -> Result<()> {
        let path = path.with_extension("xmf");
        let last = names.times.len().checked_sub(1).map(|last| names.step(last));
        match (&mut self.companion, last) {
            (Some(companion), Some(step)) if companion.has_room(&step) => {
                companion.append(step).map_err(|error| cannot_write(&path, &error))
            }
            (companion, _) => {
                *companion = Some(Companion::create(&path, names.steps())?);
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
