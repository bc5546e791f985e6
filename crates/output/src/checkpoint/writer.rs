//! A checkpoint on its way to the disk: every rank writes its share of every component of every field.

use std::path::{Path, PathBuf};

use hdf5::File;
use vortice_core::{
    Communicator, Decomposition, Outline, Precision, Result, Shape, StateWriter, Subdomain, Values,
    beside, cannot_write, check_place, gather_rows,
};

use crate::arrays::place_field;
use crate::container;
use crate::raw::{self, Background, Piece};
use crate::seal::{SEAL_BYTES, seal};
use crate::seen::open_on_all;
use crate::stored::Stored;

/// A file beside its place, whose values are still to come.
pub(crate) struct CheckpointWriter<'a> {
    path: PathBuf,
    new: PathBuf,
    ranks: &'a dyn Communicator,
    cut: &'a Decomposition,
    part: Subdomain,
    /// What the file says beside fields; numbers come with the state.
    stored: Stored,
    /// On the first rank.
    file: Option<File>,
    raw: Option<std::fs::File>,
    /// Ranks that write: all, if all see the file, or the first alone.
    writers: usize,
    outlines: Vec<(String, Outline)>,
    background: Background,
    pieces: Vec<Piece>,
    finite: bool,
}

impl<'a> CheckpointWriter<'a> {
    /// Makes the file beside its place. Collective.
    ///
    /// # Errors
    /// If the folder or disk refuses; on all ranks.
    pub(crate) fn create(
        path: &Path,
        stored: Stored,
        ranks: &'a dyn Communicator,
        cut: &'a Decomposition,
    ) -> Result<Self> {
        let new = beside(path);
        let made = match ranks.rank() {
            0 => check_place(path).and_then(|()| {
                create(&new, &stored).map(Some).map_err(|error| cannot_write(path, &error))
            }),
            _ => Ok(None),
        };
        let file = ranks.agree(made)?;
        let (raw, is_seen) = open_on_all(&new, true, ranks)?;
        let writers = if is_seen { ranks.size() } else { 1 };
        Ok(Self {
            path: path.to_owned(),
            new,
            ranks,
            cut,
            part: cut.subdomain(ranks.rank()),
            stored,
            file,
            raw,
            writers,
            outlines: Vec::new(),
            background: Background::default(),
            pieces: Vec::new(),
            finite: true,
        })
    }

    /// Whether all values that have come are finite, on all ranks. Collective.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub(crate) fn is_finite(&self) -> Result<bool> {
        let mut broken = [f64::from(u8::from(!self.finite))];
        self.ranks.max(&mut broken)?;
        Ok(broken == [0.0])
    }

    /// Gives the file its numbers, its seal and its name; the one of this name that was there gets another, where
    /// the disk has second names for files. Collective.
    ///
    /// # Errors
    /// If the disk refuses, or did not take all.
    pub(crate) fn finish(mut self, older: Option<&Path>) -> Result<()> {
        let refuse = |error: std::io::Error| cannot_write(&self.path, &error);
        let synced = self.background.wait().and_then(|()| match &self.raw {
            Some(raw) if self.ranks.rank() > 0 && !self.pieces.is_empty() => raw.sync_data(),
            _ => Ok(()),
        });
        self.ranks.agree(synced.map_err(refuse))?;
        let all = self.ranks.all_gather(bytemuck::cast_slice(&self.pieces))?;
        let finished = match self.file.take() {
            Some(file) => {
                let pieces = all.iter().flat_map(|bytes| bytes.chunks_exact(size_of::<Piece>()));
                self.close(file, pieces.map(bytemuck::pod_read_unaligned).collect(), older)
            }
            None => Ok(()),
        };
        self.ranks.agree(finished)
    }

    fn close(&self, file: File, pieces: Vec<Piece>, older: Option<&Path>) -> Result<()> {
        let (path, new) = (&self.path, &self.new);
        let closed = self.stored.write_numbers(&file).and_then(|()| container::close(file));
        closed
            .and_then(|()| self.stored.check(new, &self.outlines))
            .map_err(|error| cannot_write(path, &error))?;
        let named = seal(new, pieces).and_then(|()| {
            older.iter().for_each(|older| keep(path, older));
            std::fs::rename(new, path)?;
            container::sync_folder(path)
        });
        named.map_err(|error| cannot_write(path, &error))
    }

    /// Takes away what was made, after a failure or of a flow that is not finite.
    pub(crate) fn discard(path: &Path, ranks: &dyn Communicator) {
        if ranks.rank() == 0 {
            // That it cannot be removed adds nothing to what has been told.
            let _ = std::fs::remove_file(beside(path));
        }
    }

    /// Makes room for a field, and tells all ranks its place.
    fn place(&self, name: &str, outline: &Outline) -> Result<u64> {
        let outline =
            Outline { shape: Shape { cells: self.cut.cells, ..outline.shape }, ..*outline };
        let placed = match &self.file {
            Some(file) => match outline.precision {
                Precision::F32 => place_field::<f32>(file, name, &outline),
                Precision::F64 => place_field::<f64>(file, name, &outline),
            },
            None => Ok(0),
        };
        let placed = placed.map_err(|error| cannot_write(&self.path, &error));
        let place = self.ranks.agree(placed)?;
        let place = self.ranks.broadcast(place.to_le_bytes().to_vec())?;
        Ok(place.try_into().map_or(0, u64::from_le_bytes))
    }

    fn write(&mut self, place: u64, bytes: &[u8]) -> std::io::Result<()> {
        match &self.raw {
            Some(raw) if !bytes.is_empty() => {
                self.pieces.push(raw::write(raw, place, bytes, &mut self.background)?);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl StateWriter for CheckpointWriter<'_> {
    fn number(&mut self, name: &str, value: f64) {
        self.stored.state.numbers.insert(name.into(), value);
    }

    fn field(
        &mut self,
        name: &str,
        outline: Outline,
        component: &mut dyn FnMut(usize) -> Result<Values>,
    ) -> Result<()> {
        let whole = Shape { cells: self.cut.cells, ..outline.shape };
        let place = self.place(name, &outline)?;
        self.outlines.push((name.into(), Outline { shape: whole, ..outline }));
        let row = whole.padded()[0] * outline.precision.bytes();
        let length = (whole.len() * outline.precision.bytes()) as u64;
        for c in 0..outline.components {
            let mine = self.ranks.agree(component(c))?;
            self.finite &= mine.not_finite(&self.part).is_none();
            let (rows, bytes) = gather_rows(self.ranks, self.cut, &mine, self.writers)?;
            let written = self.write(place + c as u64 * length + (rows.start * row) as u64, &bytes);
            self.ranks.agree(written.map_err(|error| cannot_write(&self.path, &error)))?;
        }
        Ok(())
    }
}

/// All but numbers and fields.
fn create(path: &Path, stored: &Stored) -> hdf5::Result<File> {
    let file = container::create_behind(SEAL_BYTES, path)?;
    stored.write_outline(&file)?;
    file.flush()?;
    Ok(file)
}

/// Gives a file, if it is there, a second name in place of whatever has it; the first stays, so that there is no moment
/// without it. What cannot be kept is not: it was never promised.
fn keep(path: &Path, older: &Path) {
    let second = beside(older);
    let _ = std::fs::remove_file(&second);
    let _ = std::fs::hard_link(path, &second).and_then(|()| std::fs::rename(&second, older));
}
