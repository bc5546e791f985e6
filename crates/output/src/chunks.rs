//! Chunks of arrays that grow with the steps: how large they are, and where their values lie in a file.

use std::ops::Range;

use hdf5::plist::dataset_create::{AllocTime, FillTime};
use hdf5::{Dataset, Group, H5Type};
use vortice_core::Quantity;

/// Largest chunk in bytes, unless a single row of cells is longer.
pub(crate) const CHUNK_BYTES: usize = 4 << 20;

/// Chunks that are taken to lie in a row, at the most, where the first and the last do.
const IN_A_ROW: usize = 32;

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

    /// Where the chunks of a step lie in the file, x and y before z. HDF5 goes through all chunks before one to find it, so
    /// few are asked for: those between two that are as far apart as they are long lie in a row.
    pub(crate) fn places(&self, array: &Dataset, step: usize) -> hdf5::Result<Vec<u64>> {
        let lost = || hdf5::Error::from(format!("{} has no room for step {step}", array.name()));
        let [in_z, in_y] = self.count();
        let count = in_z * in_y;
        let chunk = |number: usize| {
            let chunk = array.chunk_info(step * count + number).ok_or_else(lost)?;
            let [k, j] = [number / in_y * self.size[0], number % in_y * self.size[1]];
            if chunk.offset[..3] != [step, k, j].map(|i| i as u64) {
                return Err(lost());
            }
            Ok((chunk.addr, chunk.size))
        };
        let (first, bytes) = chunk(0)?;
        let mut places = vec![first; count];
        let mut parts = Vec::new();
        if count > 1 {
            (places[count - 1], _) = chunk(count - 1)?;
            parts.push([0, count - 1]);
        }
        while let Some([low, high]) = parts.pop() {
            let (between, apart) = (high - low, places[high].checked_sub(places[low]));
            if between <= IN_A_ROW && apart == Some(between as u64 * bytes) {
                (low..high).for_each(|n| places[n] = places[low] + (n - low) as u64 * bytes);
            } else if between > 1 {
                let middle = low + between / 2;
                (places[middle], _) = chunk(middle)?;
                parts.extend([[low, middle], [middle, high]]);
            }
        }
        Ok(places)
    }

    /// The parts of chunks that some planes and rows of a step fill, which are whole planes, or rows of one plane; by the
    /// places where HDF5 has made room for the chunks, for numbers of so many bytes.
    pub(crate) fn pieces(
        &self,
        places: &[u64],
        [planes, rows]: [&Range<usize>; 2],
        number: usize,
    ) -> Vec<Piece> {
        let ([_, in_y], [deep, high]) = (self.count(), self.size);
        let row_bytes = self.cells[0] * self.components * number;
        let mut pieces = Vec::new();
        for chunk_k in planes.start / deep..planes.end.div_ceil(deep) {
            for chunk_j in rows.start / high..rows.end.div_ceil(high) {
                let [k, j] = [chunk_k * deep, chunk_j * high];
                let planes = planes.start.max(k)..planes.end.min(k + deep);
                let rows = rows.start.max(j)..rows.end.min(j + high);
                let before = (planes.start - k) * high + rows.start - j;
                let place = places[chunk_k * in_y + chunk_j] + (before * row_bytes) as u64;
                pieces.push(Piece { place, planes, rows });
            }
        }
        pieces
    }
}

/// Planes and rows of a chunk, which lie in one piece.
pub(crate) struct Piece {
    /// In the file.
    pub(crate) place: u64,
    pub(crate) planes: Range<usize>,
    pub(crate) rows: Range<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_lie_where_they_are_found_one_by_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = hdf5::File::create(folder.path().join("arrays")).expect("a file");
        let cells = [512, 512, 40];
        let [velocity, pressure] = [Quantity::Velocity, Quantity::Pressure].map(|quantity| {
            let chunks = Chunks::new(quantity, cells, 4);
            let array = chunks.create::<f32>(&file, quantity.name(), 0).expect("an array");
            (chunks, array)
        });
        assert!(
            velocity.0.count() == [40, 1] && pressure.0.count() == [14, 1],
            "IN_A_ROW chunks lie between"
        );
        // Arrays grow by turns, and one gives back what lies between the others' chunks.
        for (step, room) in
            [(0, [1, 2]), (0, [2, 2]), (1, [4, 5]), (1, [4, 2]), (4, [7, 3]), (6, [7, 9])]
        {
            for ((chunks, array), steps) in [&velocity, &pressure].into_iter().zip(room) {
                let shape = array.shape()[1..].to_vec();
                array.resize([vec![steps], shape].concat()).expect("room");
                let count: usize = chunks.count().iter().product();
                let one = |n: usize| array.chunk_info(n).expect("a chunk").addr;
                for step in step.min(steps - 1)..steps {
                    let found: Vec<u64> = (0..count).map(|n| one(step * count + n)).collect();
                    assert_eq!(chunks.places(array, step).expect("places"), found, "step {step}");
                }
                assert!(chunks.places(array, steps).is_err(), "there is no more room");
            }
        }
    }
}
