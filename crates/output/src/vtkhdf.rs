//! The temporal ImageData layout of VTKHDF 2.0, as ParaView reads it, and the views of single
//! steps that its XDMF companion names.
//!
//! Axes on disk are [step][z][y][x][component]. A step is written first and published last, with the disk
//! between and after, so that the file of a run that was killed, or of a machine without power, holds all earlier steps. VTK's
//! reader writes beyond its memory where there are more times than steps: so there are two lists of times, of which one
//! waits. It takes the place of the other together with `NSteps`, in the same object of the file and by one write:
//! the names and attributes of that object lie in one piece. While a file is written nothing in it is given back, since
//! HDF5 would cut its end before it says so where the file begins.
//! VTK takes a file of one step for one without steps, whose arrays have no axis for them: so a step that is
//! alone stands twice in the list, both times with the same values.

mod disk;
mod earlier;
mod room;
mod step_names;
mod views;

use std::path::Path;

use hdf5::types::{FixedAscii, VarLenUnicode};
use hdf5::{Attribute, Dataset, File, Group, H5Type, Hyperslab, Selection, SliceOrIndex};
use ndarray::{ArrayView, IxDyn};
use vortice_core::{Case, Extent, Grid, Precision, Quantity, Window};

use crate::arrays::write_text;
use crate::chunks::{Chunks, VECTOR, chunk_of_vectors};
use crate::container;
use crate::sample::Sample;
use disk::Disk;
use step_names::VIEWS;
pub(crate) use step_names::step_group;

/// The group of times and offsets.
const STEPS: &str = "VTKHDF/Steps";

/// Name of the list of times.
const TIMES: &str = "Values";

/// Name of the group where a list of times waits.
const WAITING: &str = "waiting";

/// Name of the list that waits in a new file.
const SPARE: &str = "times";

/// Name of the array that tells solid cells (1) from fluid (0).
pub(crate) const SOLID: &str = "solid";

/// Name of the list of the numbers of steps, which readers of VTK do not look at.
const NUMBERS: &str = "steps";

/// Name of the attribute that tells which run wrote the file.
pub(crate) const RUN: &str = "run";

/// A VTKHDF file being written.
pub(crate) struct VtkHdf {
    file: File,
    disk: Disk,
    arrays: Vec<Array>,
    n_steps: Attribute,
    /// The group of times and offsets.
    in_time: Group,
    waiting: Group,
    /// The list of times that readers see, and the one that waits, under this name.
    lists: [Dataset; 2],
    spare: String,
    times: Vec<f64>,
    /// The numbers of steps that the run gives them.
    numbers: Dataset,
    solid_offsets: Option<Dataset>,
    precision: Precision,
    sample: Sample,
    /// Whether HDF5 writes the values, since it compresses them.
    compressed: bool,
    /// Steps that have room in the arrays.
    room: usize,
}

/// One quantity at all steps.
struct Array {
    quantity: Quantity,
    values: Dataset,
    chunks: Chunks,
    offsets: Dataset,
}

impl VtkHdf {
    /// A new file without steps, for a part of a grid.
    pub(crate) fn create(
        path: &Path,
        grid: &Grid,
        sample: Sample,
        quantities: &[Quantity],
        precision: Precision,
        compression: u8,
    ) -> hdf5::Result<Self> {
        // Without locks ParaView may look while the run goes on.
        let file = container::create_growing(path)?;
        let disk = Disk::of(path)?;
        let root = file.create_group("VTKHDF")?;
        describe_grid(&root, &sample.grid(grid))?;
        let waiting = file.create_group(WAITING)?;
        let numbers = series::<u64>(&file, NUMBERS)?;
        let (steps, offsets) = make_steps(&file)?;
        let n_steps = steps.attr("NSteps")?;
        let lists = [steps.dataset(TIMES)?, series::<f64>(&waiting, SPARE)?];
        let in_cells = root.create_group("CellData")?;
        let array = |&quantity: &Quantity| {
            let (name, chunks) =
                (quantity.name(), Chunks::new(quantity, sample.n(), precision.bytes()));
            let values = match precision {
                Precision::F32 => chunks.create::<f32>(&in_cells, name, compression)?,
                Precision::F64 => chunks.create::<f64>(&in_cells, name, compression)?,
            };
            Ok(Array { quantity, values, chunks, offsets: series::<i64>(&offsets, name)? })
        };
        let arrays = quantities.iter().map(array).collect::<hdf5::Result<_>>()?;
        let solid_offsets = match sample.solid_mask() {
            None => None,
            Some(mask) => {
                let [nx, ny, nz] = sample.n();
                let (cells, mask) = ([nz, ny, nx], mask.insert_axis(ndarray::Axis(0)));
                // Once for all steps.
                in_cells.new_dataset_builder().with_data(&mask).create(SOLID)?;
                let view = file.create_group(VIEWS)?.new_dataset::<u8>().shape(cells);
                let from = Selection::from(block(&[], &[1, nz, ny, nx]));
                let name = format!("/VTKHDF/CellData/{SOLID}");
                view.virtual_map(".", name, [1, nz, ny, nx], from, cells, ..).create(SOLID)?;
                Some(series::<i64>(&offsets, SOLID)?)
            }
        };
        let (in_time, times, room) = (steps, Vec::new(), 0);
        Ok(Self {
            file,
            disk,
            arrays,
            n_steps,
            in_time,
            waiting,
            lists,
            spare: SPARE.into(),
            times,
            numbers,
            solid_offsets,
            precision,
            sample,
            compressed: compression > 0,
            room,
        })
    }

    /// Says what the fields are of: attributes of the file, and the text of the case as an array of its own. Of texts
    /// that are empty nothing is said.
    pub(crate) fn describe(&self, case: &Case, texts: [(&str, &str); 4]) -> hdf5::Result<()> {
        for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
            let text: VarLenUnicode = text.parse().map_err(|error| format!("{name}: {error}"))?;
            self.file.new_attr::<VarLenUnicode>().create(name)?.write_scalar(&text)?;
        }
        self.file.new_attr::<f64>().create("reynolds_number")?.write_scalar(&case.reynolds())?;
        write_text(&self.file, "case", &case.source)
    }

    /// Ends the writing, and gives back the room that no step took to HDF5; the file keeps its length.
    pub(crate) fn close(mut self) -> hdf5::Result<()> {
        let steps = self.times.len();
        self.hold_end()?;
        self.fit(steps)?;
        self.forget_views(steps)?;
        self.commit()?;
        let Self { file, arrays, n_steps, in_time, waiting, lists, numbers, solid_offsets, .. } =
            self;
        drop((arrays, n_steps, in_time, waiting, lists, numbers, solid_offsets));
        container::close(file)
    }

    /// Waits until the disk has all that was written.
    fn commit(&mut self) -> hdf5::Result<()> {
        if self.compressed {
            // They take their room only now.
            self.arrays.iter().try_for_each(|array| array.values.flush())?;
        }
        self.disk.grow(self.file.size())?;
        self.file.flush()?;
        self.disk.sync()
    }

    /// Makes room for a step and its views, which readers do not see before it is published. Tells where the chunks of
    /// each array lie, if values are written as they are, in this step and in those after it that have room.
    pub(crate) fn begin_step(&mut self) -> hdf5::Result<Vec<Vec<Vec<u64>>>> {
        if self.times.len() == self.room {
            self.make_room()?;
        }
        if self.compressed {
            return Ok(vec![Vec::new()]);
        }
        let places = |step| {
            self.arrays.iter().map(|array| array.chunks.places(&array.values, step)).collect()
        };
        (self.times.len()..self.room).map(places).collect()
    }

    /// Writes a slab of the step, compressed: a window for each quantity, in the order given when the file was made.
    pub(crate) fn write_slab(&self, slab: &Extent, windows: &[Window<'_>]) -> hdf5::Result<()> {
        for (array, window) in self.arrays.iter().zip(windows) {
            match self.precision {
                Precision::F32 => self.write_window(array, slab, window, |x| x as f32)?,
                Precision::F64 => self.write_window(array, slab, window, |x| x)?,
            }
        }
        Ok(())
    }

    /// Slabs in which a step of these quantities is written: whole chunks.
    pub(crate) fn slabs(
        sample: &Sample,
        precision: Precision,
        quantities: &[Quantity],
    ) -> Vec<Extent> {
        let [planes, rows] = chunk_of_vectors(sample.n(), precision.bytes());
        let layers = VECTOR * if sample.n()[2] > 1 { planes } else { rows };
        sample.slabs(layers, quantities.contains(&Quantity::Vorticity))
    }

    /// Bytes of the values of a step.
    fn bytes(&self) -> usize {
        let values = |array: &Array| self.shape(array.quantity, 1).iter().product::<usize>();
        self.precision.bytes() * self.arrays.iter().map(values).sum::<usize>()
    }

    /// Makes the step of this number one that readers see.
    pub(crate) fn publish(&mut self, time: f64, number: u64) -> hdf5::Result<()> {
        let place = self.times.len();
        self.numbers.write_slice(&[number], place..place + 1)?;
        self.times.push(time);
        if self.times.len() == 2 {
            self.arrays.iter().try_for_each(|array| array.offsets.write_slice(&[1i64], 1..2))?;
        }
        // The list that waits has all times but the last two.
        self.list_times(self.times.len().saturating_sub(2))
    }

    /// Writes the times from one on into the list that waits, and gives it the place of the other.
    fn list_times(&mut self, from: usize) -> hdf5::Result<()> {
        let mut times = self.times.clone();
        times.resize(listed(times.len()), times.last().copied().unwrap_or_default());
        self.lists[1].resize((times.len(),))?;
        self.lists[1].write_slice(&times[from..], from..times.len())?;
        self.commit()?;
        let (seen, spare) = (format!("{STEPS}/{TIMES}"), format!("{WAITING}/{}", self.spare));
        let aside = format!("{WAITING}/{TIMES}");
        self.file.relink(&seen, &aside)?;
        self.file.relink(&spare, &seen)?;
        self.file.relink(&aside, &spare)?;
        self.lists.swap(0, 1);
        self.n_steps.write_scalar(&(times.len() as i64))?;
        self.commit()
    }

    /// Writes one quantity of a slab.
    fn write_window<T: H5Type + Copy + Default>(
        &self,
        array: &Array,
        slab: &Extent,
        window: &Window<'_>,
        number: impl Fn(f64) -> T,
    ) -> hdf5::Result<()> {
        let (step, [x, y, z]) = (self.times.len(), self.sample.cells(slab));
        let mut shape = self.shape(array.quantity, 1);
        shape[1..3].copy_from_slice(&[z.len(), y.len()]);
        let first = [step, z.start, y.start];
        let values = self.sample.values(window, [x, y, z], number);
        let view = ArrayView::from_shape(IxDyn(&shape), &values)
            .map_err(|error| hdf5::Error::from(error.to_string()))?;
        array.values.write_slice(view, block(&first, &shape))
    }

    fn shape(&self, quantity: Quantity, steps: usize) -> Vec<usize> {
        let [nx, ny, nz] = self.sample.n();
        let mut shape = vec![steps, nz, ny, nx];
        if quantity.components() > 1 {
            shape.push(quantity.components());
        }
        shape
    }
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

/// The groups of times, none yet, and of offsets. HDF5 makes a group with room for a few names; what comes later lies in a
/// second piece. The name for the numbers of steps fills the first, so that the number of times and their list share the
/// second, which grows as long as nothing else is made.
fn make_steps(file: &File) -> hdf5::Result<(Group, Group)> {
    let steps = file.create_group(STEPS)?;
    let offsets = steps.create_group("CellDataOffsets")?;
    file.link_hard(NUMBERS, &format!("{STEPS}/step-numbers"))?;
    series::<f64>(file, &format!("{WAITING}/{TIMES}"))?;
    steps.new_attr::<i64>().create("NSteps")?.write_scalar(&0i64)?;
    file.relink(&format!("{WAITING}/{TIMES}"), &format!("{STEPS}/{TIMES}"))?;
    Ok((steps, offsets))
}

/// An empty list of numbers that grows with the steps.
fn series<T: H5Type>(group: &Group, name: &str) -> hdf5::Result<Dataset> {
    group.new_dataset::<T>().shape((0..,)).chunk((64,)).create(name)
}

/// How many steps a list names that has so many.
fn listed(steps: usize) -> usize {
    steps.max(2)
}

/// A block of this shape that begins at some place, at zero along the axes that are not given.
fn block(first: &[usize], shape: &[usize]) -> Hyperslab {
    let first = first.iter().copied().chain(std::iter::repeat(0));
    let count = |(start, &count)| SliceOrIndex::SliceCount { start, step: 1, count, block: 1 };
    first.zip(shape).map(count).collect::<Vec<_>>().into()
}
