//! Room for steps that come: it grows, and what is left over in the end is given back.

use hdf5::plist::dataset_create::{AllocTime, FillTime};
use hdf5::{Dataset, Group, H5Type};

use super::{VtkHdf, listed};
use crate::chunks::CHUNK_BYTES;

/// Bytes and steps for which room is made ahead, at most: as much as there is already, so that little is left over.
const ROOM: (usize, usize) = (16 * CHUNK_BYTES, 64);

/// Bytes of what holds the end of the file: more than HDF5 would put among other things.
const END_BYTES: usize = 4096;

impl VtkHdf {
    /// Makes room for more steps; compressed ones take theirs when they are written. Step by step, so that what one does not
    /// take lies behind what others did.
    pub(super) fn make_room(&mut self) -> hdf5::Result<()> {
        let first = self.room;
        let most = (ROOM.0 / self.bytes().max(1)).clamp(1, ROOM.1);
        self.room += first.clamp(2.min(most), most);
        self.make_views(first)?;
        for array in &self.arrays {
            // As long as there is one step alone, the next one is the same.
            let offset = |step: usize| if first == 0 && step == 1 { 0 } else { step as i64 };
            extend(&array.offsets, listed(self.room), offset)?;
        }
        if let Some(offsets) = &self.solid_offsets {
            extend(offsets, listed(self.room), |_| 0)?;
        }
        self.numbers.resize((listed(self.room),))?;
        for step in first..self.room {
            for array in &self.arrays {
                array.values.resize(self.shape(array.quantity, step + 1))?;
            }
        }
        self.disk.grow(self.file.size())
    }

    /// Gives all that grows the length of so many steps.
    pub(super) fn fit(&self, steps: usize) -> hdf5::Result<()> {
        for array in &self.arrays {
            array.values.resize(self.shape(array.quantity, steps))?;
            array.offsets.resize((listed(steps),))?;
        }
        if let Some(offsets) = &self.solid_offsets {
            offsets.resize((listed(steps),))?;
        }
        self.numbers.resize((listed(steps),))
    }

    /// Something that stays lies at the end of the file from now on: what is given back is within it.
    pub(super) fn hold_end(&self) -> hdf5::Result<()> {
        let end = self.waiting.new_dataset::<u8>().shape(END_BYTES);
        let end = end.alloc_time(Some(AllocTime::Early)).fill_time(FillTime::Never);
        end.create(&*unused(&self.waiting, "end")).map(|_| ())
    }
}

/// A name that begins so and that nothing in the group has.
pub(super) fn unused(group: &Group, stem: &str) -> String {
    let names = (1..).map(|number| format!("{stem}-{number}"));
    names.filter(|name| !group.link_exists(name)).take(1).collect()
}

/// Makes a list longer by numbers for their places.
pub(super) fn extend<T: H5Type>(
    series: &Dataset,
    end: usize,
    number: impl Fn(usize) -> T,
) -> hdf5::Result<()> {
    let places = series.size()..end;
    let numbers: Vec<T> = places.clone().map(number).collect();
    series.resize((end,))?;
    series.write_slice(&numbers, places)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use vortice_core::{Case, Precision, Quantity};

    use super::super::*;
    use crate::sample::Sample;

    const CASE: &str = "title = 'plane'\ngrid = { cells = [4, 3, 1], size = [4.0, 3.0, 1.0] }\n\
        fluid = { viscosity = 0.01 }\nrun = { method = 'none', until = 1.0 }\n[boundary]\n\
        x-low = 'wall'\nx-high = 'wall'\ny-low = 'wall'\ny-high = 'wall'\n\
        z-low = 'periodic'\nz-high = 'periodic'\n";

    /// Where a file says that it ends.
    fn told_end(bytes: &[u8]) -> usize {
        u64::from_le_bytes(bytes[28..36].try_into().expect("eight bytes")) as usize
    }

    /// That a file has so many steps, with the view of each.
    fn expect_steps(path: &Path, count: usize) {
        let open =
            hdf5::FileBuilder::new().with_fapl(|access| access.file_locking(false)).open(path);
        let file = open.expect("it can be opened");
        let times = file.dataset("VTKHDF/Steps/Values").expect("a list").read_raw::<f64>();
        assert_eq!(times.expect("times").len(), listed(count));
        let pressure = file.dataset("VTKHDF/CellData/pressure").expect("an array");
        for step in 0..count {
            let shape = pressure.shape()[1..].to_vec();
            let values =
                pressure.read_slice::<f32, _, IxDyn>(block(&[step], &[&[1], &shape[..]].concat()));
            assert_eq!(values.expect("values").len(), 12);
            let view = file.dataset(&format!("{}/pressure", step_group(step))).expect("a view");
            assert_eq!(view.read_raw::<f32>().expect("values").len(), 12, "{step} of {count}");
        }
    }

    /// Whatever of a step reaches the disk before it is published: nothing new of it, or what was changed in place alone.
    #[test]
    fn published_steps_need_nothing_that_is_written_for_the_next_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, copy] = ["fields.vtkhdf", "copy.vtkhdf"].map(|name| folder.path().join(name));
        let case = Case::parse(CASE, "plane").expect("a case");
        let sample = Sample::new(&case.whole_recorded(), case.solids());
        let quantities = [Quantity::Velocity, Quantity::Pressure];
        let mut file = VtkHdf::create(&path, &case.grid, sample, &quantities, Precision::F32, 0)
            .expect("made");
        for step in 0..140 {
            let before = std::fs::read(&path).expect("it is there");
            file.begin_step().expect("begun");
            file.commit().expect("written");
            let after = std::fs::read(&path).expect("it is there");
            assert!(told_end(&after) >= told_end(&before) && after.len() >= told_end(&after));
            if step > 0 {
                let mut bytes = after.clone();
                bytes[told_end(&before)..].fill(0);
                std::fs::write(&copy, bytes).expect("written");
                expect_steps(&copy, step);
            }
            file.publish(0.5 * step as f64, step as u64).expect("published");
        }
        file.close().expect("closed");
        let bytes = std::fs::read(&path).expect("it is there");
        assert!(bytes.len() >= told_end(&bytes));
        expect_steps(&path, 140);
    }
}
