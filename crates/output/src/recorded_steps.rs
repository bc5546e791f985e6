//! All steps of a file that a [`crate::Recorder`] wrote, for programs that look at finished runs.

use std::path::{Path, PathBuf};

use hdf5::File;
use hdf5::types::{FloatSize, TypeDescriptor, VarLenUnicode};
use vortice_core::{Error, Grid, Result};

use crate::arrays::read_newer_text;
use crate::recorded::{REMEDY, Steps, open_fields, slice};
use crate::stored_flow::grid;
use crate::vtkhdf::SOLID;

/// The steps and arrays of a file of fields. It is opened for each look, so that it may still grow.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedSteps {
    path: PathBuf,
    /// The grid of the arrays.
    pub grid: Grid,
    /// Title of the case.
    pub title: String,
    /// Name of the method.
    pub method: String,
    /// Text of the case; empty if the file does not have it.
    pub source: String,
    /// Flow times in s, each once.
    pub times: Vec<f64>,
    /// Where they lie in the arrays.
    places: Vec<usize>,
    /// Names of the arrays with the values that each has in a cell; the mask of solid cells is not among them.
    pub arrays: Vec<(String, usize)>,
    /// Whether there is a mask of solid cells.
    pub has_solids: bool,
}

/// Values of one step, `[z][y][x]` with components last, in the number type of the file.
#[derive(Clone, Debug, PartialEq)]
pub enum StepValues {
    /// Single precision.
    F32(Vec<f32>),
    /// Double precision.
    F64(Vec<f64>),
}

impl RecordedSteps {
    /// Looks into a file.
    ///
    /// # Errors
    /// If it cannot be read, or is no such file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let refuse = |problem: String| Error::file(path, problem, REMEDY);
        let file = open_fields(path).map_err(refuse)?;
        let (grid, steps) = (grid(&file).map_err(refuse)?, Steps::of(&file).map_err(refuse)?);
        let mut places: Vec<usize> = (0..steps.times.len()).map(|n| steps.place(n)).collect();
        // A step that is alone stands twice in the list.
        places.dedup();
        let times = steps.times[..places.len()].to_vec();
        let (arrays, has_solids) = arrays(&file).map_err(|_| refuse("has no arrays".into()))?;
        let source = read_newer_text(&file, "case").unwrap_or_default();
        let (title, method) = (text(&file, "title"), text(&file, "method"));
        let path = path.to_path_buf();
        Ok(Self { path, grid, title, method, source, times, places, arrays, has_solids })
    }

    /// The values of an array at one of the times, by its number.
    ///
    /// # Errors
    /// If there is no such array or time, or the file cannot be read.
    pub fn read(&self, array: &str, number: usize) -> Result<StepValues> {
        let refuse = |problem: String| Error::file(&self.path, problem, REMEDY);
        let of_name = self.arrays.iter().find(|(name, _)| name == array);
        let (_, components) = of_name.ok_or_else(|| refuse(format!("has no array `{array}`")))?;
        let place = self.places.get(number);
        let place = *place.ok_or_else(|| refuse(format!("has no step of number {number}")))?;
        let [nx, ny, nz] = self.grid.cells();
        let mut shape = vec![nz, ny, nx];
        shape.extend((*components > 1).then_some(*components));
        let file = open_fields(&self.path).map_err(refuse)?;
        let read = || -> hdf5::Result<Option<StepValues>> {
            let dataset = file.dataset(&format!("VTKHDF/CellData/{array}"))?;
            Ok(match dataset.dtype()?.to_descriptor()? {
                TypeDescriptor::Float(FloatSize::U4) => Some(StepValues::F32(
                    slice(&dataset, place, &shape)?.into_raw_vec_and_offset().0,
                )),
                TypeDescriptor::Float(FloatSize::U8) => Some(StepValues::F64(
                    slice(&dataset, place, &shape)?.into_raw_vec_and_offset().0,
                )),
                _ => None,
            })
        };
        let values =
            read().map_err(|error| refuse(format!("`{array}` cannot be read: {error}")))?;
        values.ok_or_else(|| refuse(format!("its array `{array}` holds neither f32 nor f64")))
    }

    /// Which cells are solid (1), `[z][y][x]`; nothing if none is.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn solids(&self) -> Result<Option<Vec<u8>>> {
        if !self.has_solids {
            return Ok(None);
        }
        let refuse = |problem: String| Error::file(&self.path, problem, REMEDY);
        let file = open_fields(&self.path).map_err(refuse)?;
        let mask = file.dataset(&format!("VTKHDF/CellData/{SOLID}"));
        let mask = mask.and_then(|mask| mask.read_raw::<u8>());
        mask.map(Some).map_err(|error| refuse(format!("`{SOLID}` cannot be read: {error}")))
    }
}

/// The arrays with the values that each has in a cell, and whether there is a mask.
fn arrays(file: &File) -> hdf5::Result<(Vec<(String, usize)>, bool)> {
    let group = file.group("VTKHDF/CellData")?;
    let (mut arrays, mut has_solids) = (Vec::new(), false);
    for name in group.member_names()? {
        if name == SOLID {
            has_solids = true;
            continue;
        }
        // The axes are step, z, y and x, and of vectors the component.
        let shape = group.dataset(&name)?.shape();
        arrays.push((name, shape.get(4).copied().unwrap_or(1)));
    }
    Ok((arrays, has_solids))
}

fn text(file: &File, name: &str) -> String {
    let text = file.attr(name).and_then(|text| text.read_scalar::<VarLenUnicode>());
    text.map(|text| text.as_str().to_owned()).unwrap_or_default()
}
