//! Chunks of arrays that grow with the steps: how large they are, and values written into them beside HDF5.

use std::ops::Range;
use std::os::unix::fs::FileExt;

use hdf5::plist::dataset_create::{AllocTime, FillTime};
use hdf5::{Dataset, Group, H5Type};
use rayon::prelude::*;
use vortice_core::Quantity;

/// Largest chunk in bytes, unless a single row of cells is longer.
pub(crate) const CHUNK_BYTES: usize = 4 << 20;

/// Values a cell of what has the most.
pub(crate) const VECTOR: usize = 3;

/// Planes and rows of vectors in a chunk, in numbers of so many bytes: more planes than one only if they are whole.
pub(crate) fn chunk_of_vectors([nx, ny, nz]: [usize; 3], number: usize) -> [usize; 2] {
    let row = nx * VECTOR * number;
    [(CHUNK_BYTES / (row * ny)).clamp(1, nz), (CHUNK_BYTES / row).clamp(1, ny)]
}

/// How an array that grows with the steps is cut: chunks of whole planes, or rows, of one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunks {
    cells: [usize; 3],
    components: usize,
    /// Planes and rows in one.
    size: [usize; 2],
}

impl Chunks {
    /// Of a quantity on so many cells, in numbers of so many bytes.
    pub(crate) fn new(quantity: Quantity, cells: [usize; 3], number: usize) -> Self {
        let (components, [_, ny, nz]) = (quantity.components(), cells);
        let [mut planes, mut rows] = chunk_of_vectors(cells, number);
        // As many bytes of any quantity, so that slabs are whole chunks of all.
        let longer = VECTOR / components;
        if rows == ny {
            planes = (planes * longer).min(nz);
        } else {
            rows = (rows * longer).min(ny);
        }
        Self { cells, components, size: [planes, rows] }
    }

    /// An array of no steps yet.
    pub(crate) fn create<T: H5Type>(
        &self,
        group: &Group,
        name: &str,
        compression: u8,
    ) -> hdf5::Result<Dataset> {
        let [nx, ny, nz] = self.cells;
        let mut shape = vec![hdf5::Extent::resizable(0), nz.into(), ny.into(), nx.into()];
        if self.components > 1 {
            shape.push(self.components.into());
        }
        let mut array = group.new_dataset::<T>().shape(shape).chunk(self.shape());
        array = match compression {
            // Room without zeros in it: the values are written as they are.
            0 => array.alloc_time(Some(AllocTime::Early)).fill_time(FillTime::Never),
            level => array.shuffle().deflate(level.min(9)),
        };
        array.create(name)
    }

    /// Whether an array is cut like this.
    pub(crate) fn are_of(&self, array: &Dataset) -> bool {
        array.chunk().is_some_and(|chunk| chunk == self.shape())
    }

    /// Steps, cells in z, y and x, and components in one.
    fn shape(&self) -> Vec<usize> {
        let ([nx, ..], [planes, rows]) = (self.cells, self.size);
        let components = Some(self.components).filter(|&n| n > 1);
        [1, planes, rows, nx].into_iter().chain(components).collect()
    }

    /// Chunks of a step in z and y.
    fn count(&self) -> [usize; 2] {
        [self.cells[2].div_ceil(self.size[0]), self.cells[1].div_ceil(self.size[1])]
    }

    /// Where the chunks of a step lie in the file, x and y before z.
    pub(crate) fn places(&self, array: &Dataset, step: usize) -> hdf5::Result<Vec<u64>> {
        let lost = || hdf5::Error::from(format!("{} has no room for step {step}", array.name()));
        let [in_z, in_y] = self.count();
        let place = |number: usize| {
            let chunk = array.chunk_info(step * in_z * in_y + number).ok_or_else(lost)?;
            let [k, j] = [number / in_y * self.size[0], number % in_y * self.size[1]];
            if chunk.offset[..3] != [step, k, j].map(|i| i as u64) {
                return Err(lost());
            }
            Ok(chunk.addr)
        };
        (0..in_z * in_y).map(place).collect()
    }

    /// Writes some planes and rows of a step, by all threads, where HDF5 has made room for its chunks. They are whole
    /// planes, or rows of one plane.
    pub(crate) fn write<T: bytemuck::Pod>(
        &self,
        raw: &std::fs::File,
        places: &[u64],
        [planes, rows]: [&Range<usize>; 2],
        values: impl Fn(Range<usize>, Range<usize>) -> Vec<T> + Sync,
    ) -> std::io::Result<()> {
        let ([_, in_y], [deep, high]) = (self.count(), self.size);
        let row_bytes = self.cells[0] * self.components * size_of::<T>();
        let mut pieces = Vec::new();
        for chunk_k in planes.start / deep..planes.end.div_ceil(deep) {
            for chunk_j in rows.start / high..rows.end.div_ceil(high) {
                let [k, j] = [chunk_k * deep, chunk_j * high];
                let planes = planes.start.max(k)..planes.end.min(k + deep);
                let rows = rows.start.max(j)..rows.end.min(j + high);
                let before = (planes.start - k) * high + rows.start - j;
                let place = places[chunk_k * in_y + chunk_j] + (before * row_bytes) as u64;
                pieces.push((place, planes, rows));
            }
        }
        let write = |(place, planes, rows): &(u64, Range<usize>, Range<usize>)| {
            let values = values(planes.clone(), rows.clone());
            raw.write_all_at(bytemuck::cast_slice(&values), *place)
        };
        match &pieces[..] {
            [one] => write(one),
            several => several.par_iter().try_for_each(write),
        }
    }
}
