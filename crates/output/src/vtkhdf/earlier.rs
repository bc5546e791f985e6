//! Files that an earlier part of a run has left, to be gone on with.

use std::path::Path;

use vortice_core::{Grid, Precision, Quantity};

use super::disk::Disk;
use super::room::{extend, unused};
use super::{Array, NUMBERS, SOLID, SPARE, STEPS, TIMES, VtkHdf, WAITING, listed, series};
use crate::chunks::Chunks;
use crate::container;
use crate::sample::Sample;

impl Array {
    /// Steps that have room.
    fn room(&self) -> usize {
        self.values.shape()[0]
    }

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
    /// another grid, other quantities or another kind of numbers. [`Self::forget_later`] is to be called before it is written.
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
        let seen = in_time.dataset(TIMES)?;
        let mut times = seen.read_raw::<f64>()?;
        // A step that is alone stands twice.
        let places = arrays.first().map_or(Ok(Vec::new()), |one| one.offsets.read_raw::<i64>())?;
        times.truncate(if places.get(1) == Some(&0) { 1 } else { times.len() });
        let numbers = file.dataset(NUMBERS)?;
        let listed = numbers.read_raw::<u64>()?;
        let kept = listed.iter().take(times.len()).filter(|&&n| n <= until).count();
        times.truncate(kept);
        let solid_offsets = offsets.dataset(SOLID).ok();
        let room = arrays.iter().map(Array::room).max().unwrap_or(0);
        let compressed = arrays.iter().any(|array| !array.values.filters().is_empty());
        let mut file = Self {
            disk: Disk::of(path)?,
            file,
            arrays,
            n_steps,
            in_time,
            waiting,
            lists: [seen.clone(), seen],
            spare: String::new(),
            times,
            numbers,
            solid_offsets,
            precision,
            sample,
            compressed,
            room,
        };
        let fits = |array: &Array| {
            let shape = file.shape(array.quantity, array.room());
            array.values.shape() == shape
                && array.room() >= file.times.len()
                && array.chunks.are_of(&array.values)
        };
        let is_number = file.arrays.iter().all(|array| array.is_of(precision));
        let is_packed = file.compressed == (compression > 0);
        if file.times.is_empty() || !is_number || !is_packed || !file.arrays.iter().all(fits) {
            return Ok(None);
        }
        // A version of before had them elsewhere.
        file.make_views(0)?;
        file.commit()?;
        Ok(Some(file))
    }

    /// Takes back all steps from the present one on; their room and views are those of the steps that come.
    pub(crate) fn forget_later(&mut self) -> hdf5::Result<()> {
        let steps = self.times.len();
        if steps == 1 {
            self.arrays.iter().try_for_each(|array| array.offsets.write_slice(&[0i64], 1..2))?;
        }
        // What waits may be the same as what readers see, where a kill came while it was published.
        self.make_spare()?;
        self.list_times(0)?;
        if !self.lists[1].is_resizable() {
            // It is of a version that made a new list for each step.
            self.make_spare()?;
            let time = |step: usize| self.times[step.min(steps - 1)];
            extend(&self.lists[1], listed(steps), time)?;
        }
        self.check_room()
    }

    /// Another list of times that waits.
    fn make_spare(&mut self) -> hdf5::Result<()> {
        self.spare = unused(&self.waiting, SPARE);
        self.lists[1] = series::<f64>(&self.waiting, &self.spare)?;
        Ok(())
    }

    /// Gives up the room for steps that come, where the machine stopped before the disk had all of it.
    fn check_room(&mut self) -> hdf5::Result<()> {
        let steps = self.times.len();
        let has_places = |array: &Array| {
            let mut ahead = steps..self.room;
            ahead.all(|step| array.chunks.places(&array.values, step).is_ok())
        };
        let is_as_long =
            |array: &Array| array.room() == self.room && array.offsets.size() == listed(self.room);
        let is_whole = |array: &Array| is_as_long(array) && (self.compressed || has_places(array));
        if self.numbers.size() == listed(self.room) && self.arrays.iter().all(is_whole) {
            return Ok(());
        }
        self.hold_end()?;
        self.fit(steps)?;
        self.room = steps;
        self.commit()
    }

    /// The times of its steps, in s, and the number of the last one.
    pub(crate) fn known(&self) -> hdf5::Result<(Vec<f64>, Option<u64>)> {
        let numbers = self.numbers.read_raw::<u64>()?;
        Ok((self.times.clone(), self.times.len().checked_sub(1).map(|last| numbers[last])))
    }
}
