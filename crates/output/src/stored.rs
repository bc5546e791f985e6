//! A checkpoint as a file: HDF5 behind a seal.

#[cfg(test)]
mod tests;

use std::path::Path;

use hdf5::File;
use vortice_core::{
    Case, Error, Precision, Result, State, Step, Values, available_memory, flow_keys, format,
};

use crate::arrays::{
    holds, place_field, read_list, read_newer_text, read_text, read_values, write_list, write_text,
};
use crate::container;
use crate::raw::{self, Background};
use crate::seal::{SEAL_BYTES, check_seal, seal};
use vortice_core::{beside, cannot_write, check_place};

/// The complete state of a run on the whole grid, and what it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// Title of the case.
    pub title: String,
    /// Name of the method whose state this is.
    pub method: String,
    /// Number type of the run.
    pub precision: Precision,
    /// Cells of the grid.
    pub cells: [usize; 3],
    /// Low corner of the box in m.
    pub low: [f64; 3],
    /// High corner of the box in m.
    pub high: [f64; 3],
    /// The step that the state follows.
    pub step: Step,
    /// Numbers and fields; the fields cover the whole grid with the halo at its ends.
    pub state: State,
    /// The text of the case, to tell later where the state came from.
    pub source: String,
    /// What decides how the flow goes on, as [`vortice_core::flow_keys`] tells it of the case.
    pub keys: Vec<(String, String)>,
    /// What the program that wrote it wants to find again, in its own words; may be empty.
    pub note: String,
}

impl Stored {
    /// A state of the whole grid with what the case says of it.
    pub fn new(case: &Case, step: Step, state: State) -> Self {
        Self {
            title: case.title.clone(),
            method: case.run.method.clone(),
            precision: case.run.precision,
            cells: case.grid.cells(),
            low: case.grid.axes.map(|axis| axis.low()),
            high: case.grid.axes.map(|axis| axis.high()),
            step,
            state,
            source: case.source.clone(),
            keys: flow_keys(case),
            note: String::new(),
        }
    }

    /// Writes the file beside its place, reads it back, seals it and renames it.
    ///
    /// # Errors
    /// If the folder or disk refuses; an older file of this name is then still there.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write_and_keep(path.as_ref(), None)
    }

    /// The same; the file of this name that was there until then gets another, where the disk has second names for
    /// files.
    pub(crate) fn write_and_keep(&self, path: &Path, older: Option<&Path>) -> Result<()> {
        check_place(path)?;
        let new = beside(path);
        let written = self.write_hdf5(&new).and_then(|places| {
            let mut background = Background::default();
            self.write_values(&new, &places, &mut background)?;
            self.check(&new)?;
            background.wait().map_err(|error| error.to_string().into())
        });
        let written = written.map_err(|error| cannot_write(path, &error));
        let finished = written.and_then(|()| {
            seal(&new)
                .and_then(|()| {
                    older.iter().for_each(|older| keep(path, older));
                    std::fs::rename(&new, path)
                })
                .map_err(|error| cannot_write(path, &error))
        });
        if finished.is_err() {
            // The error says what failed; that the rest cannot be removed adds nothing.
            let _ = std::fs::remove_file(&new);
        }
        finished
    }

    /// Writes all but the values of fields, and tells the place that each field has in the file.
    fn write_hdf5(&self, path: &Path) -> hdf5::Result<Vec<u64>> {
        let file = container::create_behind(SEAL_BYTES, path)?;
        self.write_outline(&file)?;
        let places = self.place_fields(&file)?;
        container::close(file)?;
        Ok(places)
    }

    /// Writes the values of fields into their places.
    fn write_values(
        &self,
        path: &Path,
        places: &[u64],
        background: &mut Background,
    ) -> hdf5::Result<()> {
        let refuse = |error: std::io::Error| hdf5::Error::from(error.to_string());
        let file = std::fs::File::options().write(true).open(path).map_err(refuse)?;
        for (values, &place) in self.state.fields.values().zip(places) {
            raw::write(&file, place, values.bytes(), background).map_err(refuse)?;
        }
        Ok(())
    }

    /// All but the fields.
    fn write_outline(&self, file: &File) -> hdf5::Result<()> {
        write_text(file, "title", &self.title)?;
        write_text(file, "method", &self.method)?;
        write_text(file, "precision", name(self.precision))?;
        write_text(file, "case", &self.source)?;
        write_text(file, "note", &self.note)?;
        let keys = serde_json::to_string(&self.keys).map_err(|error| error.to_string())?;
        write_text(file, "keys", &keys)?;
        write_list(file, "cells", &self.cells.map(|n| n as u64))?;
        write_list(file, "low", &self.low)?;
        write_list(file, "high", &self.high)?;
        let Step { number, time, dt, iterations, residual, .. } = self.step;
        write_list(file, "step", &[number, iterations])?;
        write_list(file, "time", &[time, dt, residual])?;
        let numbers = file.create_group("numbers")?;
        for (name, value) in &self.state.numbers {
            numbers.new_attr::<f64>().create(name.as_str())?.write_scalar(value)?;
        }
        Ok(())
    }

    fn place_fields(&self, file: &File) -> hdf5::Result<Vec<u64>> {
        let fields = file.create_group("fields")?;
        let place = |(name, values): (&String, &Values)| match values {
            Values::F32(field) => place_field(&fields, name, field),
            Values::F64(field) => place_field(&fields, name, field),
        };
        self.state.fields.iter().map(place).collect()
    }

    /// That a file holds this state, bit for bit. What a disk swallowed in silence is found here, so
    /// that it is never sealed.
    fn check(&self, path: &Path) -> hdf5::Result<()> {
        let lost = |what: &str| hdf5::Error::from(format!("{what} did not arrive on the disk"));
        let (file, raw) = open(path)?;
        if read_outline(&file)?.bits() != self.bits() {
            return Err(lost("the step or the case"));
        }
        let fields = file.group("fields")?;
        if fields.len() != self.state.fields.len() as u64 {
            return Err(lost("a field"));
        }
        for (name, values) in &self.state.fields {
            let array = fields.dataset(name)?;
            let arrived = match values {
                Values::F32(field) => holds(&raw, &array, field)?,
                Values::F64(field) => holds(&raw, &array, field)?,
            };
            if !arrived {
                return Err(lost(&format!("the field `{name}`")));
            }
        }
        Ok(())
    }

    /// All but the fields, to be compared: numbers as bits, since one that is none equals nothing.
    fn bits(&self) -> String {
        let Step { number, time, dt, iterations, residual, .. } = self.step;
        let places = [self.low, self.high, [time, dt, residual]];
        let places = places.map(|three| three.map(f64::to_bits));
        let numbers = self.state.numbers.iter().map(|(name, x)| (name, x.to_bits()));
        let texts = [&self.title, &self.method, &self.source, &self.note];
        format!(
            "{texts:?} {:?} {:?} {:?} {places:?} {number} {iterations} {:?}",
            self.keys,
            self.precision,
            self.cells,
            numbers.collect::<Vec<_>>()
        )
    }

    /// Reads a file that [`Stored::write`] has written but for its fields, which are looked at all the same.
    ///
    /// # Errors
    /// As [`Stored::read`].
    pub fn read_outline(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        check_seal(path)?;
        open(path)
            .and_then(|(file, _)| read_outline(&file))
            .map_err(|error| incomplete(path, &error))
    }

    /// Reads a file that [`Stored::write`] has written.
    ///
    /// # Errors
    /// If it cannot be read, is not a checkpoint, or has been cut or changed in any byte.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        check_seal(path)?;
        check_room(path)?;
        Self::read_hdf5(path).map_err(|error| incomplete(path, &error))
    }

    /// The keys of a file that was written before they were kept; none if its case is no longer read.
    fn keys_of_source(&self) -> Vec<(String, String)> {
        let case = Case::parse(&self.source, "checkpoint");
        case.map_or_else(
            |_| Vec::new(),
            |case| flow_keys(&case.method(&self.method).precision(self.precision)),
        )
    }

    fn read_hdf5(path: &Path) -> hdf5::Result<Self> {
        let (file, raw) = open(path)?;
        let mut stored = read_outline(&file)?;
        let (fields, mut left) = (file.group("fields")?, file.size());
        for name in fields.member_names()? {
            let values = read_values(&raw, &fields.dataset(&name)?, stored.cells, &mut left)?;
            stored.state.fields.insert(name, values);
        }
        Ok(stored)
    }
}

fn incomplete(path: &Path, error: &hdf5::Error) -> Error {
    let remedy = "restart from another checkpoint or from the beginning";
    Error::file(path, format!("is not a complete checkpoint: {error}"), remedy)
}

/// Gives a file, if it is there, a second name in place of whatever has it; the first stays, so that there is no moment
/// without it. What cannot be kept is not: it was never promised.
fn keep(path: &Path, older: &Path) {
    let second = beside(older);
    let _ = std::fs::remove_file(&second);
    let _ = std::fs::hard_link(path, &second).and_then(|()| std::fs::rename(&second, older));
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

/// Opens a file only to read it, without a lock, so that others may write it; as HDF5 sees it, and as it is.
fn open(path: &Path) -> hdf5::Result<(File, std::fs::File)> {
    let file = hdf5::FileBuilder::new()
        .with_fapl(|access| access.file_locking(false))
        .open_as(path, hdf5::OpenMode::Read)?;
    let raw = std::fs::File::open(path).map_err(|error| error.to_string())?;
    Ok((file, raw))
}

/// All but the fields.
fn read_outline(file: &File) -> hdf5::Result<Stored> {
    let precision = match read_text(file, "precision")?.as_str() {
        "f32" => Precision::F32,
        "f64" => Precision::F64,
        other => return Err(format!("its precision is {other}, not f32 or f64").into()),
    };
    let [number, iterations] = read_list(file, "step")?;
    let [time, dt, residual] = read_list(file, "time")?;
    let mut state = State::default();
    let numbers = file.group("numbers")?;
    for name in numbers.attr_names()? {
        let value = numbers.attr(&name)?.read_scalar()?;
        state.numbers.insert(name, value);
    }
    let mut stored = Stored {
        title: read_text(file, "title")?,
        method: read_text(file, "method")?,
        precision,
        cells: read_list::<u64, 3>(file, "cells")?.map(|n| n as usize),
        low: read_list(file, "low")?,
        high: read_list(file, "high")?,
        step: Step { number, time, dt, iterations, residual, ..Step::default() },
        state,
        source: read_text(file, "case")?,
        keys: Vec::new(),
        note: read_newer_text(file, "note")?,
    };
    stored.keys = match read_newer_text(file, "keys")?.as_str() {
        "" => stored.keys_of_source(),
        keys => serde_json::from_str(keys).map_err(|error| format!("keys: {error}"))?,
    };
    Ok(stored)
}

/// Name of a precision in files.
pub(crate) fn name(precision: Precision) -> &'static str {
    match precision {
        Precision::F32 => "f32",
        Precision::F64 => "f64",
    }
}
