//! Checkpoints.

use std::path::{Path, PathBuf};

use vortice_core::{Case, Context, Error, Monitor, Result, Snapshot, State, Verdict};

use crate::beside::check_place;

/// Writes the complete state now and then.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
}

impl Checkpoint {
    /// Checkpoints in a file that is replaced by the next.
    ///
    /// # Errors
    /// If a folder has this name, or the file's folder does not exist.
    pub fn new(path: impl AsRef<Path>, _case: &Case) -> Result<Self> {
        check_place(path.as_ref())?;
        Ok(Self { path: path.as_ref().to_path_buf() })
    }
}

impl Monitor for Checkpoint {
    fn after_step(&mut self, _now: &Snapshot<'_>) -> Result<Verdict> {
        let _ = &self.path;
        Ok(Verdict::Continue)
    }
}

/// This rank's part of a checkpoint.
///
/// # Errors
/// If the file is not a checkpoint, is damaged, or belongs to another case.
pub fn read_checkpoint(path: impl AsRef<Path>, _case: &Case, _context: &Context) -> Result<State> {
    Err(Error::file(path, "cannot be read", ""))
}
