//! What a file holds of a grid: the cells of a part, or means over blocks of them.

use std::ops::Range;

use vortice_core::{Extent, Field, Grid, OutputPart, Solids, Window};

/// The cells of a file.
pub(crate) struct Sample {
    extent: Extent,
    /// Cells of the grid in one of the file, per direction.
    block: [usize; 3],
    solids: Solids,
}

impl Sample {
    pub(crate) fn new(part: &OutputPart, solids: Solids) -> Self {
        let block = part.extent.n().map(|n| if n == 1 { 1 } else { part.coarsen });
        Self { extent: part.extent.clone(), block, solids }
    }

    /// Cells of the file per direction.
    pub(crate) fn n(&self) -> [usize; 3] {
        let n = self.extent.n();
        std::array::from_fn(|d| n[d] / self.block[d])
    }

    /// Their box.
    pub(crate) fn grid(&self, grid: &Grid) -> Grid {
        let (part, n) = (grid.part(&self.extent), self.n());
        let size = part.axes.map(|axis| axis.length());
        if self.block == [1; 3] {
            return part;
        }
        Grid::uniform(n, size, part.axes.map(|axis| axis.low()))
    }

    /// Parts of the grid that follow each other, each a multiple of so many layers of the file; whether something is derived
    /// in them, from the layers beside them, too.
    pub(crate) fn slabs(&self, layers: usize, is_derived: bool) -> Vec<Extent> {
        let across = if self.extent.n()[2] > 1 { 2 } else { 1 };
        let layers = layers * self.block[across];
        match is_derived {
            true => self.extent.slabs(layers).collect(),
            false => self.extent.plain_slabs(layers).collect(),
        }
    }

    /// The cells of the file that a part of the grid fills.
    pub(crate) fn cells(&self, slab: &Extent) -> [Range<usize>; 3] {
        std::array::from_fn(|d| {
            let place = |i: usize| (i - self.extent.cells[d].start) / self.block[d];
            place(slab.cells[d].start)..place(slab.cells[d].end)
        })
    }

    /// The values of some cells of the file as they lie in it: x fastest, components together, in a number type.
    pub(crate) fn values<T: Copy + Default>(
        &self,
        window: &Window<'_>,
        cells: [Range<usize>; 3],
        number: impl Fn(f64) -> T,
    ) -> Vec<T> {
        let first = window.first();
        let inside = |d: usize, i: usize| {
            (self.extent.cells[d].start + self.block[d] * i) as isize - first[d]
        };
        if self.block != [1; 3] {
            return self.means(window, cells, number);
        }
        let cells = std::array::from_fn(|d| inside(d, cells[d].start)..inside(d, cells[d].end));
        values_of(window.field(), cells, number)
    }

    /// Means over the cells of the flow in each block; zero where there are none.
    fn means<T: Copy + Default>(
        &self,
        window: &Window<'_>,
        [x, y, z]: [Range<usize>; 3],
        number: impl Fn(f64) -> T,
    ) -> Vec<T> {
        let (field, first) = (window.field(), window.first());
        let mut values = Vec::with_capacity(field.components * x.len() * y.len() * z.len());
        let mut sums = vec![0.0; field.components];
        for (k, j) in z.flat_map(|k| y.clone().map(move |j| (k, j))) {
            for i in x.clone() {
                sums.fill(0.0);
                let mut count = 0.0;
                for cell in self.block_of([i, j, k]).filter(|&cell| !self.solids.contains(cell)) {
                    let place = std::array::from_fn(|d| cell[d] - first[d]);
                    sums.iter_mut().enumerate().for_each(|(c, sum)| *sum += field.at(c, place));
                    count += 1.0;
                }
                values.extend(sums.iter().map(|sum| number(sum / f64::max(count, 1.0))));
            }
        }
        values
    }

    /// The cells of the grid in one of the file.
    fn block_of(&self, cell: [usize; 3]) -> impl Iterator<Item = [isize; 3]> + use<> {
        let first: [usize; 3] =
            std::array::from_fn(|d| self.extent.cells[d].start + self.block[d] * cell[d]);
        let [nx, ny, nz] = self.block;
        (0..nx * ny * nz).map(move |number| {
            let at = [number % nx, number / nx % ny, number / (nx * ny)];
            std::array::from_fn(|d| (first[d] + at[d]) as isize)
        })
    }

    /// 1 in cells that are solid all through and 0 in others, by z, y and x; nothing if no cell of the grid is solid.
    pub(crate) fn solid_mask(&self) -> Option<ndarray::Array3<u8>> {
        let [nx, ny, nz] = self.n();
        let is_solid = |(k, j, i)| self.block_of([i, j, k]).all(|cell| self.solids.contains(cell));
        let mask =
            || ndarray::Array3::from_shape_fn([nz, ny, nx], |place| u8::from(is_solid(place)));
        (!self.solids.is_empty()).then(mask)
    }
}

/// The values of some cells of a field, by its own indices, as they lie in a file: x fastest, components together, in a
/// number type.
pub(crate) fn values_of<S: Copy + Default, T: Copy + Default>(
    field: &Field<S>,
    [x, y, z]: [Range<isize>; 3],
    number: impl Fn(S) -> T,
) -> Vec<T> {
    let (count, nx) = (field.components, x.len());
    let mut values = vec![T::default(); count * nx * y.len() * z.len()];
    let rows = z.flat_map(|k| y.clone().map(move |j| [x.start, j, k]));
    for (cell, to) in rows.zip(values.chunks_exact_mut((count * nx).max(1))) {
        let first = field.shape.index(cell);
        for c in 0..count {
            let from = &field.component(c)[first..first + nx];
            for (to, from) in to.iter_mut().skip(c).step_by(count).zip(from) {
                *to = number(*from);
            }
        }
    }
    values
}
