//! The folder of the frames: each is a file with the number of its step.

use std::path::{Path, PathBuf};

use vortice_core::{Error, Result, clear, write_beside};

const BEGIN: &str = "step-";
const END: &str = ".png";

/// The frames in a folder.
#[derive(Debug)]
pub(super) struct Frames {
    folder: PathBuf,
}

impl Frames {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Makes the folder and takes away the frames after a step, or all; whether some are left.
    ///
    /// # Errors
    /// If the folder or disk refuses.
    pub(super) fn begin(&self, kept_to: Option<u64>) -> Result<bool> {
        let refused = |path: &Path, error: std::io::Error| {
            let remedy = "give another folder with `--out`, or leave `output.film` out";
            Error::file(path, format!("frames cannot be kept here: {error}"), remedy)
        };
        std::fs::create_dir_all(&self.folder).map_err(|error| refused(&self.folder, error))?;
        let (kept, others): (Vec<_>, Vec<_>) =
            self.all().into_iter().partition(|(step, _)| kept_to.is_some_and(|last| *step <= last));
        for (_, path) in others {
            clear(&path).map_err(|error| refused(&path, error))?;
        }
        Ok(!kept.is_empty())
    }

    /// Writes the frame of a step; it is on the disk when this is done.
    ///
    /// # Errors
    /// If the disk refuses.
    pub(super) fn write(&self, step: u64, frame: &[u8]) -> Result<()> {
        write_beside(&self.path(step), |file| file.write_all(frame))
    }

    /// All frames that are there, in the order of steps.
    pub(super) fn all(&self) -> Vec<(u64, PathBuf)> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let frame = |entry: std::fs::DirEntry| {
            let name = entry.file_name();
            let number = name.to_str()?.strip_prefix(BEGIN)?.strip_suffix(END)?;
            Some((number.parse().ok()?, entry.path()))
        };
        let mut all: Vec<_> = entries.filter_map(frame).collect();
        all.sort_unstable();
        all
    }

    fn path(&self, step: u64) -> PathBuf {
        self.folder.join(format!("{BEGIN}{step:010}{END}"))
    }
}
