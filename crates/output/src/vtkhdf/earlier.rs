//! Files that an earlier part of a run has left, to be gone on with.

use std::path::Path;

use vortice_core::{Grid, Precision, Quantity};

use super::{Array, NUMBERS, SOLID, STEPS, TIMES, VtkHdf, WAITING, step_group};
use crate::chunks::Chunks;
use crate::container;
use crate::sample::Sample;

impl Array {
    /// Whether its values are numbers of this kind.
    fn is_of(&self, precision: Precision) -> bool {
        self.values.dtype().is_ok_and(|kind| match precision {
            Precision::F32 => kind.is::<f32>(),
            Precision::F64 => kind.is::<f64>(),
        })
    }
}

impl VtkHdf {
    /// A file that an earlier part of the run has left, with its steps up to one; nothing if it has none, or is of
    /// another grid, other quantities or another kind of numbers.
    pub(crate) fn go_on(
        path: &Path,
        grid: &Grid,
        sample: Sample,
        quantities: &[Quantity],
        precision: Precision,
        compression: u8,
        until: u64,
    ) -> hdf5::Result<Option<Self>> {
        let file = container::open(path)?;
        let (root, in_time) = (file.group("VTKHDF")?, file.group(STEPS)?);
        let (offsets, in_cells) = (in_time.group("CellDataOffsets")?, root.group("CellData")?);
        let whole = sample.grid(grid);
        let numbers = |name: &str| root.attr(name)?.read_raw::<f64>();
        let is_same_grid = numbers("Origin")? == whole.axes.map(|axis| axis.low())
            && numbers("Spacing")? == whole.spacing();
        let mut names: Vec<String> = in_cells.member_names()?;
        names.retain(|name| name != SOLID);
        let mut wanted: Vec<_> = quantities.iter().map(|quantity| quantity.name()).collect();
        names.sort();
        wanted.sort_unstable();
        if !is_same_grid || names != wanted {
            return Ok(None);
        }
        let array = |&quantity: &Quantity| {
            let chunks = Chunks::new(quantity, sample.n(), precision.bytes());
            let values = in_cells.dataset(quantity.name())?;
            let offsets = offsets.dataset(quantity.name())?;
            Ok(Array { quantity, values, chunks, offsets })
        };
        let arrays = quantities.iter().map(array).collect::<hdf5::Result<Vec<_>>>()?;
        let waiting = file.group(WAITING).or_else(|_| file.create_group(WAITING))?;
        let n_steps = in_time.attr("NSteps")?;
        let mut times = in_time.dataset(TIMES)?.read_raw::<f64>()?;
        // A step that is alone stands twice.
        let places = arrays.first().map_or(Ok(Vec::new()), |one| one.offsets.read_raw::<i64>())?;
        times.truncate(if places.get(1) == Some(&0) { 1 } else { times.len() });
        let (all, numbers) = (times.len(), file.dataset(NUMBERS)?);
        let kept = numbers.read_raw::<u64>()?.iter().take(all).filter(|&&n| n <= until).count();
        times.truncate(kept);
        let solid_offsets = offsets.dataset(SOLID).ok();
        let room = arrays.first().map_or(0, |array| array.values.shape()[0]);
        let compressed = arrays.iter().any(|array| !array.values.filters().is_empty());
        let mut file = Self {
            file,
            arrays,
            n_steps,
            in_time,
            waiting,
            times,
            numbers,
            solid_offsets,
            precision,
            sample,
            compressed,
            room,
        };
        let fits = |array: &Array| {
            let shape = file.shape(array.quantity, room);
            array.values.shape() == shape && array.chunks.are_of(&array.values)
        };
        let is_number = file.arrays.iter().all(|array| array.is_of(precision));
        let is_packed = file.compressed == (compression > 0);
        if file.times.is_empty() || !is_number || !is_packed || !file.arrays.iter().all(fits) {
            return Ok(None);
        }
        file.forget_steps(all)?;
        Ok(Some(file))
    }

    /// Takes back all steps from the present one on; there may have been so many in all, and views of one more.
    fn forget_steps(&mut self, all: usize) -> hdf5::Result<()> {
        let steps = self.times.len();
        if steps == 1 {
            self.arrays.iter().try_for_each(|array| array.offsets.write_slice(&[0i64], 1..2))?;
        }
        // What a kill may have left.
        if self.waiting.link_exists(TIMES) {
            self.waiting.unlink(TIMES)?;
        }
        self.list_times()?;
        for step in (steps..=all).filter(|&step| self.file.link_exists(&step_group(step))) {
            self.file.unlink(&step_group(step))?;
        }
        self.file.flush()
    }

    /// The times of its steps, in s, and the number of the last one.
    pub(crate) fn known(&self) -> hdf5::Result<(Vec<f64>, Option<u64>)> {
        let numbers = self.numbers.read_raw::<u64>()?;
        Ok((self.times.clone(), self.times.len().checked_sub(1).map(|last| numbers[last])))
    }
}
