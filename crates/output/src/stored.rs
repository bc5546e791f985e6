//! A checkpoint as a file: HDF5 behind a seal.

use std::collections::BTreeMap;
use std::path::Path;

use hdf5::File;
use vortice_core::{Case, Error, Outline, Precision, Result, State, Step, flow_keys};

use crate::arrays::{outline_of, read_list, read_newer_text, read_text, write_list, write_text};
use crate::seal::check_seal;

/// A field in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// Of the whole grid.
    pub(crate) outline: Outline,
    /// Where its values begin, in bytes.
    pub(crate) place: u64,
}

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

    /// Writes all but numbers and fields.
    pub(crate) fn write_outline(&self, file: &File) -> hdf5::Result<()> {
        write_text(file, "title", &self.title)?;
        write_text(file, "method", &self.method)?;
        write_text(file, "precision", self.precision.name())?;
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
        file.create_group("fields").map(|_| ())
    }

    /// Writes the numbers of the state.
    pub(crate) fn write_numbers(&self, file: &File) -> hdf5::Result<()> {
        let numbers = file.create_group("numbers")?;
        for (name, value) in &self.state.numbers {
            numbers.new_attr::<f64>().create(name.as_str())?.write_scalar(value)?;
        }
        Ok(())
    }

    /// That a file says this, and has room for these fields: what a disk swallowed in silence is found here, so that
    /// it is never sealed.
    pub(crate) fn check(&self, path: &Path, fields: &[(String, Outline)]) -> hdf5::Result<()> {
        let lost = |what: &str| hdf5::Error::from(format!("{what} did not arrive on the disk"));
        let (stored, found) = read_hdf5(path)?;
        if stored.bits() != self.bits() {
            return Err(lost("the step or the case"));
        }
        if found.len() != fields.len() {
            return Err(lost("a field"));
        }
        let arrived =
            |name: &String, outline| found.get(name).is_some_and(|f| f.outline == outline);
        match fields.iter().find(|(name, outline)| !arrived(name, *outline)) {
            Some((name, _)) => Err(lost(&format!("the field `{name}`"))),
            None => Ok(()),
        }
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
        Self::read_placed(path.as_ref()).map(|(stored, _)| stored)
    }

    /// The same with the places of fields.
    ///
    /// # Errors
    /// As [`Stored::read`].
    pub(crate) fn read_placed(path: &Path) -> Result<(Self, BTreeMap<String, Placed>)> {
        check_seal(path)?;
        read_hdf5(path).map_err(|error| incomplete(path, &error))
    }

    /// The keys of a file that was written before they were kept; none if its case is no longer read.
    fn keys_of_source(&self) -> Vec<(String, String)> {
        let case = Case::parse(&self.source, "checkpoint");
        case.map_or_else(
            |_| Vec::new(),
            |case| flow_keys(&case.method(&self.method).precision(self.precision)),
        )
    }
}

/// All but the values of fields, with their places.
fn read_hdf5(path: &Path) -> hdf5::Result<(Stored, BTreeMap<String, Placed>)> {
    let file = open(path)?;
    let stored = read_outline(&file)?;
    let (fields, mut left) = (file.group("fields")?, file.size());
    let placed = |name: String| {
        let (outline, place) = outline_of(&fields.dataset(&name)?, stored.cells, &mut left)?;
        Ok((name, Placed { outline, place }))
    };
    let placed = fields.member_names()?.into_iter().map(placed).collect::<hdf5::Result<_>>()?;
    Ok((stored, placed))
}

fn incomplete(path: &Path, error: &hdf5::Error) -> Error {
    let remedy = "restart from another checkpoint or from the beginning";
    Error::file(path, format!("is not a complete checkpoint: {error}"), remedy)
}

/// Opens a file only to read it, without a lock, so that others may write it.
fn open(path: &Path) -> hdf5::Result<File> {
    hdf5::FileBuilder::new()
        .with_fapl(|access| access.file_locking(false))
        .open_as(path, hdf5::OpenMode::Read)
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
