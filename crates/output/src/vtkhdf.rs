//! The temporal ImageData layout of VTKHDF 2.0, as ParaView reads it, and the views of single
//! steps that its XDMF companion names.
//!
//! Axes on disk are [step][z][y][x][component]. A step is appended first and published last, with a flush
//! between and after, so that the file of a run that was killed holds all earlier steps. VTK's reader
//! writes beyond its memory where there are more times than steps: so the list of times is a new one for
//! each step, and takes the place of the older one together with `NSteps`, in the same object of the file.

use std::path::Path;

use hdf5::types::{FixedAscii, VarLenUnicode};
use hdf5::{Attribute, Dataset, Extent, File, Group, H5Type, Hyperslab, Selection, SliceOrIndex};
use ndarray::{ArrayView, IxDyn};
use vortice_core::{Field, Grid, Precision, Quantity, Solids};

use crate::container;

/// Largest chunk in bytes, unless a single row of cells is longer.
const CHUNK_BYTES: usize = 4 << 20;

/// Name of the list of times.
const TIMES: &str = "Values";

/// Name of the array that tells solid cells (1) from fluid (0).
pub(crate) const SOLID: &str = "solid";

/// Name of the attribute that tells which run wrote the file.
pub(crate) const RUN: &str = "run";

/// A VTKHDF file being written.
pub(crate) struct VtkHdf {
    file: File,
    arrays: Vec<Array>,
    n_steps: Attribute,
    /// The group of times and offsets.
    in_time: Group,
    times: Vec<f64>,
    solid_offsets: Option<Dataset>,
    precision: Precision,
    /// nz, ny, nx.
    cells: [usize; 3],
}

/// One quantity at all steps.
struct Array {
    quantity: Quantity,
    values: Dataset,
    offsets: Dataset,
}

impl VtkHdf {
    /// A new file without steps.
    pub(crate) fn create(
        path: &Path,
        grid: &Grid,
        quantities: &[Quantity],
        solids: &Solids,
        precision: Precision,
        compression: u8,
    ) -> hdf5::Result<Self> {
        // Without locks ParaView may look while the run goes on.
        let file = container::create(path)?;
        let root = file.create_group("VTKHDF")?;
        describe_grid(&root, grid)?;
        let steps = root.create_group("Steps")?;
        let n_steps = steps.new_attr::<i64>().create("NSteps")?;
        n_steps.write_scalar(&0i64)?;
        steps.new_dataset::<f64>().shape(0).create(TIMES)?;
        let [nx, ny, nz] = grid.cells();
        let (cells, offsets) = ([nz, ny, nx], steps.create_group("CellDataOffsets")?);
        let in_cells = root.create_group("CellData")?;
        let array = |&quantity: &Quantity| {
            let values = match precision {
                Precision::F32 => growing::<f32>(&in_cells, quantity, cells, compression)?,
                Precision::F64 => growing::<f64>(&in_cells, quantity, cells, compression)?,
            };
            Ok(Array { quantity, values, offsets: series::<i64>(&offsets, quantity.name())? })
        };
        let arrays = quantities.iter().map(array).collect::<hdf5::Result<_>>()?;
        let solid_offsets = if solids.is_empty() {
            None
        } else {
            write_solid(&in_cells, solids, cells)?;
            let view = file.create_group("XDMF")?.new_dataset::<u8>().shape(cells);
            let from = Selection::from(slab(0, &[1, nz, ny, nx]));
            let name = format!("/VTKHDF/CellData/{SOLID}");
            view.virtual_map(".", name, [1, nz, ny, nx], from, cells, ..).create(SOLID)?;
            Some(series::<i64>(&offsets, SOLID)?)
        };
        let (in_time, times) = (steps, Vec::new());
        Ok(Self { file, arrays, n_steps, in_time, times, solid_offsets, precision, cells })
    }

    /// Says which run the fields are of.
    pub(crate) fn identify(&self, run: &str) -> hdf5::Result<()> {
        let run: VarLenUnicode = run.parse().map_err(|error| format!("run: {error}"))?;
        self.file.new_attr::<VarLenUnicode>().create(RUN)?.write_scalar(&run)
    }

    /// Ends the writing.
    pub(crate) fn close(self) -> hdf5::Result<()> {
        let Self { file, arrays, n_steps, in_time, solid_offsets, .. } = self;
        drop((arrays, n_steps, in_time, solid_offsets));
        container::close(file)
    }

    /// Appends a step: one field for each quantity, in the order given when the file was made.
    pub(crate) fn append(&mut self, time: f64, fields: &[&Field]) -> hdf5::Result<()> {
        let step = self.times.len();
        for (array, field) in self.arrays.iter().zip(fields) {
            match self.precision {
                Precision::F32 => self.append_field(array, field, |x| x as f32)?,
                Precision::F64 => self.append_field(array, field, |x| x)?,
            }
            append_number(&array.offsets, step, step as i64)?;
        }
        if let Some(offsets) = &self.solid_offsets {
            append_number(offsets, step, 0i64)?;
        }
        self.times.push(time);
        self.publish()
    }

    /// Makes the last step one that readers see.
    fn publish(&self) -> hdf5::Result<()> {
        const NEXT: &str = "next Values";
        self.in_time.new_dataset_builder().with_data(&self.times).create(NEXT)?;
        self.file.flush()?;
        self.in_time.unlink(TIMES)?;
        self.in_time.relink(NEXT, TIMES)?;
        self.n_steps.write_scalar(&(self.times.len() as i64))?;
        self.file.flush()
    }

    /// Appends one field, and the view of this step alone.
    fn append_field<T: H5Type + Copy + Default>(
        &self,
        array: &Array,
        field: &Field,
        number: impl Fn(f64) -> T,
    ) -> hdf5::Result<()> {
        let (step, name) = (self.times.len(), array.quantity.name());
        let mut shape = self.shape(array.quantity, 1);
        let values = values_of(field, number);
        array.values.resize(self.shape(array.quantity, step + 1))?;
        let view = ArrayView::from_shape(IxDyn(&shape), &values)
            .map_err(|error| hdf5::Error::from(error.to_string()))?;
        array.values.write_slice(view, slab(step, &shape))?;

        let view = match self.file.group(&step_group(step)) {
            Ok(group) => group,
            Err(_) => self.file.create_group(&step_group(step))?,
        };
        let slab = slab(step, &shape);
        shape.remove(0);
        // Declared larger than it is: a map of a whole array would stop fitting when it grows.
        let source = self.shape(array.quantity, step + 2);
        let path = format!("/VTKHDF/CellData/{name}");
        view.new_dataset::<T>()
            .shape(shape.clone())
            .virtual_map(".", path, source, slab, shape, ..)
            .create(name)?;
        Ok(())
    }

    fn shape(&self, quantity: Quantity, steps: usize) -> Vec<usize> {
        let [nz, ny, nx] = self.cells;
        let mut shape = vec![steps, nz, ny, nx];
        if quantity.components() > 1 {
            shape.push(quantity.components());
        }
        shape
    }
}

/// The group that holds the views of one step.
pub(crate) fn step_group(step: usize) -> String {
    format!("/XDMF/step{step:06}")
}

/// The values of a field as they lie in a file: x fastest, components together, in a number type.
pub(crate) fn values_of<S: Copy + Default, T: Copy + Default>(
    field: &Field<S>,
    number: impl Fn(S) -> T,
) -> Vec<T> {
    let (count, cells) = (field.components, field.shape.cells);
    let mut values = vec![T::default(); count * cells.iter().product::<usize>()];
    let all = values.chunks_exact_mut((count * cells[0]).max(1));
    for (row, to) in field.shape.rows().zip(all) {
        for c in 0..count {
            let from = &field.component(c)[row.clone()];
            for (to, from) in to.iter_mut().skip(c).step_by(count).zip(from) {
                *to = number(*from);
            }
        }
    }
    values
}

/// The version of the format that a group follows.
pub(crate) fn write_version(group: &Group, version: [i64; 2]) -> hdf5::Result<()> {
    list(group, "Version", &version)
}

fn list<T: H5Type>(group: &Group, name: &str, values: &[T]) -> hdf5::Result<()> {
    group.new_attr_builder().with_data(values).create(name).map(|_| ())
}

/// Makes a group one of type ImageData: a grid of equal cells.
pub(crate) fn describe_grid(root: &Group, grid: &Grid) -> hdf5::Result<()> {
    let [nx, ny, nz] = grid.cells().map(|n| n as i64);
    write_version(root, [2, 0])?;
    // Older readers take no other kind of string.
    let image = FixedAscii::<9>::from_ascii(b"ImageData").map_err(|e| e.to_string())?;
    root.new_attr::<FixedAscii<9>>().create("Type")?.write_scalar(&image)?;
    list(root, "WholeExtent", &[0, nx, 0, ny, 0, nz])?;
    list(root, "Origin", &grid.axes.map(|axis| axis.low()))?;
    list(root, "Spacing", &grid.spacing())?;
    list(root, "Direction", &[1.0f64, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
}

/// An empty list of numbers that grows with the steps.
fn series<T: H5Type>(group: &Group, name: &str) -> hdf5::Result<Dataset> {
    group.new_dataset::<T>().shape((0..,)).chunk((64,)).create(name)
}

fn append_number<T: H5Type>(series: &Dataset, step: usize, value: T) -> hdf5::Result<()> {
    series.resize((step + 1,))?;
    series.write_slice(&[value], step..step + 1)
}

/// An array without steps that grows with them, in chunks of whole planes, or rows, of one step.
fn growing<T: H5Type>(
    group: &Group,
    quantity: Quantity,
    [nz, ny, nx]: [usize; 3],
    compression: u8,
) -> hdf5::Result<Dataset> {
    let components = quantity.components();
    let row = nx * components * size_of::<T>();
    let rows = (CHUNK_BYTES / row).clamp(1, ny);
    let planes = (CHUNK_BYTES / (row * ny)).clamp(1, nz);
    let mut shape = vec![Extent::resizable(0), nz.into(), ny.into(), nx.into()];
    let mut chunk = vec![1, planes, rows, nx];
    if components > 1 {
        shape.push(components.into());
        chunk.push(components);
    }
    let mut array = group.new_dataset::<T>().shape(shape).chunk(chunk);
    if compression > 0 {
        array = array.shuffle().deflate(compression.min(9));
    }
    array.create(quantity.name())
}

/// The mask of solid cells, once for all steps.
fn write_solid(group: &Group, solids: &Solids, cells: [usize; 3]) -> hdf5::Result<()> {
    let mask = solid_mask(solids, cells).insert_axis(ndarray::Axis(0));
    group.new_dataset_builder().with_data(&mask).create(SOLID).map(|_| ())
}

/// 1 in solid cells and 0 in fluid, by z, y and x.
pub(crate) fn solid_mask(solids: &Solids, cells: [usize; 3]) -> ndarray::Array3<u8> {
    ndarray::Array3::from_shape_fn(cells, |(k, j, i)| {
        u8::from(solids.contains([i, j, k].map(|i| i as isize)))
    })
}

/// The block of one step; `shape` is that of a single step with its axis of steps.
fn slab(step: usize, shape: &[usize]) -> Hyperslab {
    let count = |start, count| SliceOrIndex::SliceCount { start, step: 1, count, block: 1 };
    let rest = shape[1..].iter().map(|&n| count(0, n));
    std::iter::once(count(step, 1)).chain(rest).collect::<Vec<_>>().into()
}
