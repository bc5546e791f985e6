//! Reading back the last fields that a [`crate::Recorder`] wrote.

use std::path::Path;

use hdf5::types::{FloatSize, TypeDescriptor, VarLenUnicode};
use hdf5::{Dataset, File, H5Type, Hyperslab, SliceOrIndex};
use ndarray::ArrayD;
use vortice_core::{Case, Error, Field, Location, Quantity, Result, Shape};

use crate::vtkhdf::RUN;

/// Velocity, pressure and temperature of the last recorded step on the whole grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// Which run wrote the file, as [`crate::Recorder::identified`] was told; may be empty.
    pub run: String,
    /// Flow time in s.
    pub time: f64,
    /// Velocity in m/s at cell centres, without halo.
    pub velocity: Field,
    /// Pressure in Pa at cell centres, without halo.
    pub pressure: Field,
    /// Temperature in K at cell centres, without halo, of a flow with heat.
    pub temperature: Option<Field>,
}

/// What to do about a file that is not what it should be.
pub(crate) const REMEDY: &str =
    "name a file that `vortice run` has written, such as out/cavity/fields.vtkhdf";

/// Velocity, pressure and temperature of the last step in a file that a [`crate::Recorder`] wrote for this case:
/// the same bits if it wrote `f64`.
///
/// # Errors
/// If the file cannot be read, holds no step or no such array, or is of a grid of other cells.
pub fn read_fields(path: impl AsRef<Path>, case: &Case) -> Result<Recorded> {
    let path = path.as_ref();
    let refuse = |problem: String| Error::file(path, problem, REMEDY);
    let file = open_fields(path).map_err(refuse)?;
    let (step, time) = Steps::of(&file).and_then(|steps| steps.last()).map_err(refuse)?;
    let cells = case.grid.cells();
    let field = |quantity| read_field(&file, cells, quantity, step).map_err(refuse);
    Ok(Recorded {
        run: run_of(&file),
        time,
        velocity: field(Quantity::Velocity)?,
        pressure: field(Quantity::Pressure)?,
        temperature: (case.carried().next()).map(|one| field(one.quantity)).transpose()?,
    })
}

/// Opens a file of fields, which others may write.
pub(crate) fn open_fields(path: &Path) -> Result<File, String> {
    if !path.is_file() {
        return Err("there is no such file".into());
    }
    let open = hdf5::FileBuilder::new().with_fapl(|access| access.file_locking(false)).open(path);
    open.map_err(|_| "cannot be read as HDF5".to_owned())
}

fn run_of(file: &File) -> String {
    let run = file.attr(RUN).and_then(|run| run.read_scalar::<VarLenUnicode>());
    run.map(|run| run.as_str().to_owned()).unwrap_or_default()
}

/// The steps in a file whose fields are all there.
pub(crate) struct Steps {
    /// Their flow times in s.
    pub(crate) times: Vec<f64>,
    /// Where in the arrays they lie, if the file says it.
    offsets: Vec<i64>,
}

impl Steps {
    pub(crate) fn of(file: &File) -> Result<Self, String> {
        let count = file.group("VTKHDF/Steps").and_then(|steps| {
            steps.attr("NSteps").and_then(|attribute| attribute.read_scalar::<i64>())
        });
        let steps = count.map_err(|_| "has no steps as temporal VTKHDF has them".to_string())?;
        let times = file.dataset("VTKHDF/Steps/Values").and_then(|times| times.read_1d::<f64>());
        let times = times.map(|times| times.to_vec()).unwrap_or_default();
        let count = usize::try_from(steps).unwrap_or_default();
        let Some(times) = times.get(..count) else {
            return Err(format!("has no flow time for its step {}", times.len()));
        };
        let name = format!("VTKHDF/Steps/CellDataOffsets/{}", Quantity::Velocity.name());
        let offsets = file.dataset(&name).and_then(|offsets| offsets.read_1d::<i64>());
        let offsets = offsets.map(|offsets| offsets.to_vec()).unwrap_or_default();
        Ok(Self { times: times.to_vec(), offsets })
    }

    /// Where in the arrays the one of an index lies. A step that is alone stands twice in the list.
    pub(crate) fn place(&self, index: usize) -> usize {
        let place = self.offsets.get(index).and_then(|&place| usize::try_from(place).ok());
        place.unwrap_or(index)
    }

    /// Where the last one lies, and its flow time in s.
    pub(crate) fn last(&self) -> Result<(usize, f64), String> {
        let time = self.times.last().ok_or_else(|| "holds no step yet".to_string())?;
        Ok((self.place(self.times.len() - 1), *time))
    }
}

/// The values of a step, which lies at `step` in the arrays, on a grid of so many cells.
pub(crate) fn read_field(
    file: &File,
    cells: [usize; 3],
    quantity: Quantity,
    step: usize,
) -> Result<Field, String> {
    let (name, components) = (quantity.name(), quantity.components());
    let dataset = file.dataset(&format!("VTKHDF/CellData/{name}"));
    let dataset = dataset.map_err(|_| format!("has no array `{name}`"))?;
    let [nx, ny, nz] = cells;
    let mut expected = vec![nz, ny, nx];
    expected.extend((components > 1).then_some(components));
    let shape = dataset.shape();
    if shape.len() != expected.len() + 1 || shape[1..] != expected[..] {
        return Err(format!(
            "its array `{name}` has {}, but the case has {nx} x {ny} x {nz} cells",
            words(&shape, components)
        ));
    }
    let values = match dataset.dtype().and_then(|kind| kind.to_descriptor()) {
        Ok(TypeDescriptor::Float(FloatSize::U4)) => {
            slice::<f32>(&dataset, step, &expected).map(|values| values.mapv(f64::from))
        }
        Ok(TypeDescriptor::Float(FloatSize::U8)) => slice::<f64>(&dataset, step, &expected),
        _ => return Err(format!("its array `{name}` holds neither f32 nor f64")),
    };
    let values = values.map_err(|_| format!("step {step} of its array `{name}` cannot be read"))?;
    Ok(placed(cells, components, values.iter().copied()))
}

/// The values of one step, in the order of the file.
pub(crate) fn slice<T: H5Type>(
    dataset: &Dataset,
    step: usize,
    shape: &[usize],
) -> hdf5::Result<ArrayD<T>> {
    let part = |start, count| SliceOrIndex::SliceCount { start, step: 1, count, block: 1 };
    let rest = shape.iter().map(|&n| part(0, n));
    let parts: Vec<SliceOrIndex> = std::iter::once(part(step, 1)).chain(rest).collect();
    dataset.read_slice(Hyperslab::from(parts))
}

/// A field from values with x fastest and components together.
fn placed(cells: [usize; 3], components: usize, mut values: impl Iterator<Item = f64>) -> Field {
    let shape = Shape { cells, halo: [0; 3] };
    let mut field = Field::zeros(Location::Centre, shape, components);
    for cell in field.own_cells() {
        for (c, value) in (0..components).zip(&mut values) {
            *field.at_mut(c, cell) = value;
        }
    }
    field
}

/// "7 x 5 x 1 cells" of a shape on disk, or the shape itself if it has no such meaning.
fn words(shape: &[usize], components: usize) -> String {
    match *shape {
        [_, nz, ny, nx] if components == 1 => format!("{nx} x {ny} x {nz} cells"),
        [_, nz, ny, nx, n] if components == n => format!("{nx} x {ny} x {nz} cells"),
        _ => format!("the shape {shape:?}"),
    }
}
