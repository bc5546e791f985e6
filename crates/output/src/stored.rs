//! A checkpoint as a file: HDF5 behind a seal.

use std::path::Path;

use hdf5::types::VarLenUnicode;
use hdf5::{Dataset, File, Group, H5Type};
use vortice_core::{Case, Error, Field, Location, Precision, Result, Shape, State, Step, Values};

use crate::beside::{beside, cannot_write, check_place};
use crate::seal::{SEAL_BYTES, check_seal, seal};

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
        }
    }

    /// Writes the file beside its place, seals it and renames it.
    ///
    /// # Errors
    /// If the folder or disk refuses; an older file of this name is then still there.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        check_place(path)?;
        let new = beside(path);
        let written = self.write_hdf5(&new).map_err(|error| cannot_write(path, &error));
        let finished = written.and_then(|()| {
            seal(&new)
                .and_then(|()| std::fs::rename(&new, path))
                .map_err(|error| cannot_write(path, &error))
        });
        if finished.is_err() {
            // The error says what failed; that the rest cannot be removed adds nothing.
            let _ = std::fs::remove_file(&new);
        }
        finished
    }

    fn write_hdf5(&self, path: &Path) -> hdf5::Result<()> {
        let file = hdf5::FileBuilder::new()
            .with_fapl(|access| access.libver_v18().file_locking(false))
            .with_fcpl(|creation| creation.userblock(SEAL_BYTES))
            .create(path)?;
        write_text(&file, "title", &self.title)?;
        write_text(&file, "method", &self.method)?;
        write_text(&file, "precision", name(self.precision))?;
        write_text(&file, "case", &self.source)?;
        write_list(&file, "cells", &self.cells.map(|n| n as u64))?;
        write_list(&file, "low", &self.low)?;
        write_list(&file, "high", &self.high)?;
        let Step { number, time, dt, iterations, residual } = self.step;
        write_list(&file, "step", &[number, iterations])?;
        write_list(&file, "time", &[time, dt, residual])?;
        let numbers = file.create_group("numbers")?;
        for (name, value) in &self.state.numbers {
            numbers.new_attr::<f64>().create(name.as_str())?.write_scalar(value)?;
        }
        let fields = file.create_group("fields")?;
        for (name, values) in &self.state.fields {
            match values {
                Values::F32(field) => write_field(&fields, name, field)?,
                Values::F64(field) => write_field(&fields, name, field)?,
            }
        }
        // Closing tells of no error, a flush does.
        file.flush()?;
        file.close()
    }

    /// Reads a file that [`Stored::write`] has written.
    ///
    /// # Errors
    /// If it cannot be read, is not a checkpoint, or has been cut or changed in any byte.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        check_seal(path)?;
        Self::read_hdf5(path).map_err(|error| {
            let remedy = "restart from another checkpoint or from the beginning";
            Error::file(path, format!("is not a complete checkpoint: {error}"), remedy)
        })
    }

    fn read_hdf5(path: &Path) -> hdf5::Result<Self> {
        let file = hdf5::FileBuilder::new()
            .with_fapl(|access| access.file_locking(false))
            .open_as(path, hdf5::OpenMode::Read)?;
        let precision = match read_text(&file, "precision")?.as_str() {
            "f32" => Precision::F32,
            "f64" => Precision::F64,
            other => return Err(format!("its precision is {other}, not f32 or f64").into()),
        };
        let cells = read_list::<u64, 3>(&file, "cells")?.map(|n| n as usize);
        let [number, iterations] = read_list(&file, "step")?;
        let [time, dt, residual] = read_list(&file, "time")?;
        let mut state = State::default();
        let numbers = file.group("numbers")?;
        for name in numbers.attr_names()? {
            let value = numbers.attr(&name)?.read_scalar()?;
            state.numbers.insert(name, value);
        }
        let fields = file.group("fields")?;
        for name in fields.member_names()? {
            let values = read_values(&fields.dataset(&name)?, cells)?;
            state.fields.insert(name, values);
        }
        Ok(Self {
            title: read_text(&file, "title")?,
            method: read_text(&file, "method")?,
            precision,
            cells,
            low: read_list(&file, "low")?,
            high: read_list(&file, "high")?,
            step: Step { number, time, dt, iterations, residual },
            state,
            source: read_text(&file, "case")?,
        })
    }
}

/// Name of a precision in files.
pub(crate) fn name(precision: Precision) -> &'static str {
    match precision {
        Precision::F32 => "f32",
        Precision::F64 => "f64",
    }
}

fn write_text(file: &File, name: &str, text: &str) -> hdf5::Result<()> {
    let text: VarLenUnicode = text.parse().map_err(|error| format!("{name}: {error}"))?;
    file.new_dataset::<VarLenUnicode>().create(name)?.write_scalar(&text)
}

fn read_text(file: &File, name: &str) -> hdf5::Result<String> {
    Ok(file.dataset(name)?.read_scalar::<VarLenUnicode>()?.as_str().to_owned())
}

fn write_list<T: H5Type>(file: &File, name: &str, values: &[T]) -> hdf5::Result<()> {
    file.new_dataset_builder().with_data(values).create(name).map(|_| ())
}

fn read_list<T: H5Type, const N: usize>(file: &File, name: &str) -> hdf5::Result<[T; N]> {
    let values = file.dataset(name)?.read_raw::<T>()?;
    let n = values.len();
    values.try_into().map_err(|_| format!("{name} has {n} values instead of {N}").into())
}

/// A field as an array [component][z][y][x] with its halo.
fn write_field<T: H5Type>(fields: &Group, name: &str, field: &Field<T>) -> hdf5::Result<()> {
    let values = fields.new_dataset::<T>().shape(array_shape(&field.shape, field.components));
    let values = values.create(name)?;
    values.write_raw(&field.values)?;
    let location: i64 = match field.location {
        Location::Centre => -1,
        Location::Face(direction) => direction as i64,
    };
    values.new_attr::<i64>().create("face")?.write_scalar(&location)?;
    let halo = field.shape.halo.map(|n| n as u64);
    values.new_attr_builder().with_data(&halo).create("halo").map(|_| ())
}

fn read_values(array: &Dataset, cells: [usize; 3]) -> hdf5::Result<Values> {
    if array.dtype()?.is::<f32>() {
        return read_field(array, cells).map(Values::F32);
    }
    read_field(array, cells).map(Values::F64)
}

fn read_field<T: H5Type + Copy + Default>(
    array: &Dataset,
    cells: [usize; 3],
) -> hdf5::Result<Field<T>> {
    let name = array.name();
    let location = match array.attr("face")?.read_scalar::<i64>()? {
        -1 => Location::Centre,
        direction @ 0..=2 => Location::Face(direction as usize),
        other => return Err(format!("{name} sits on face {other}").into()),
    };
    let halo: [u64; 3] = match array.attr("halo")?.read_raw::<u64>()?.try_into() {
        Ok(halo) => halo,
        Err(_) => return Err(format!("the halo of {name} does not have three values").into()),
    };
    let (shape, found) = (Shape { cells, halo: halo.map(|n| n as usize) }, array.shape());
    let components = found.first().copied().unwrap_or(0);
    if found != array_shape(&shape, components) {
        return Err(format!("{name} has shape {found:?}, which {cells:?} cells do not").into());
    }
    Ok(Field { location, shape, components, values: array.read_raw()? })
}

fn array_shape(shape: &Shape, components: usize) -> Vec<usize> {
    let [nx, ny, nz] = shape.padded();
    vec![components, nz, ny, nx]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sealed file that is not what it should be: only another program can make one.
    fn read_without(name: &str) -> Error {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.h5");
        let stored = Stored {
            title: "t".into(),
            method: "m".into(),
            precision: Precision::F64,
            cells: [2, 2, 1],
            low: [0.0; 3],
            high: [1.0; 3],
            step: Step::default(),
            state: State::default(),
            source: String::new(),
        };
        stored.write(&path).unwrap();
        hdf5::File::open_rw(&path).unwrap().unlink(name).unwrap();
        seal(&path).unwrap();
        Stored::read(&path).unwrap_err()
    }

    #[test]
    fn a_missing_dataset_is_an_error_that_names_it() {
        for name in ["title", "precision", "cells", "low", "time", "numbers", "fields", "case"] {
            let error = read_without(name);
            assert!(error.to_string().contains("not a complete checkpoint"), "{error}");
            assert!(error.to_string().contains(name), "{name}: {error}");
        }
    }
}
