//! Checkpoints all of which is in memory.

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use vortice_core::{
    Communicator, Decomposition, Error, Result, Solo, State, available_memory, format,
};

use super::{CheckpointWriter, SavedState};
use crate::stored::Stored;

impl Stored {
    /// Writes the file beside its place, seals it and renames it.
    ///
    /// # Errors
    /// If the folder or disk refuses; an older file of this name is then still there.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let (path, cut) = (path.as_ref(), Decomposition::choose(self.cells, 1, [false; 3])?);
        let about = Self { state: State::default(), ..self.clone() };
        let written = CheckpointWriter::create(path, about, &Solo, &cut).and_then(|mut writer| {
            self.state.write(&mut writer)?;
            writer.finish(None)
        });
        if written.is_err() {
            CheckpointWriter::discard(path, &Solo);
        }
        written
    }

    /// Reads a file that [`Stored::write`] has written.
    ///
    /// # Errors
    /// If it cannot be read, is not a checkpoint, or has been cut or changed in any byte.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let (mut stored, placed) = Self::read_placed(path)?;
        check_room(path)?;
        let cut = Decomposition::choose(stored.cells, 1, [false; 3])?;
        let (mine, ranks) =
            ((stored.state.numbers, placed), Arc::new(Solo) as Arc<dyn Communicator>);
        stored.state = SavedState::share(path, Some(mine), &ranks, &cut)?.whole()?;
        Ok(stored)
    }
}

/// That a checkpoint, all of which is read, has room in memory.
fn check_room(path: &Path) -> Result<()> {
    let bytes = path.metadata().map_or(0, |about| about.len()) as f64;
    match available_memory() {
        Some(free) if bytes > free => {
            let [bytes, free] = [bytes, free].map(format::bytes);
            let problem = format!("is {bytes} long, and {free} of memory are free");
            Err(Error::file(path, problem, "restart on a larger machine"))
        }
        _ => Ok(()),
    }
}
