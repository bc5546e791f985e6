//! Where the cells of a part lie in memory.

use std::ops::Range;

/// A padded box of cells, x fastest. A plane problem has one cell and no halo in z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Own cells per direction.
    pub cells: [usize; 3],
    /// Halo cells on each side, per direction.
    pub halo: [usize; 3],
}

impl Layout {
    /// Cells per direction with halos.
    #[inline]
    pub fn padded(&self) -> [usize; 3] {
        std::array::from_fn(|d| self.cells[d] + 2 * self.halo[d])
    }

    /// Distance in memory between neighbours in x, y and z.
    #[inline]
    pub fn strides(&self) -> [usize; 3] {
        let n = self.padded();
        [1, n[0], n[0] * n[1]]
    }

    /// Values of an array with halos.
    #[allow(clippy::len_without_is_empty)] // a layout is never empty
    #[inline]
    pub fn len(&self) -> usize {
        self.padded().iter().product()
    }

    /// Place in memory of a cell; negative indices and those past the end lie in the halo.
    #[inline(always)]
    pub fn index(&self, [i, j, k]: [isize; 3]) -> usize {
        let [_, sy, sz] = self.strides();
        let [hx, hy, hz] = self.halo.map(|h| h as isize);
        (i + hx) as usize + (j + hy) as usize * sy + (k + hz) as usize * sz
    }

    /// The indices of own and halo cells in a direction.
    #[inline]
    pub fn all(&self, direction: usize) -> Range<isize> {
        let h = self.halo[direction] as isize;
        -h..self.cells[direction] as isize + h
    }

    /// All own cells.
    pub fn own(&self) -> Region {
        Region { layout: *self, beyond: [0; 3] }
    }

    /// All low faces in a direction and the last high ones.
    pub fn faces(&self, direction: usize) -> Region {
        let mut region = self.own();
        region.beyond[direction] = 1;
        region
    }
}

/// Own cells of a layout and some layers of its high halos, to be worked on row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Where the cells lie.
    pub layout: Layout,
    /// Layers beyond the own cells at the high end of each direction, at most the halo.
    pub beyond: [usize; 3],
}

impl Region {
    /// Cells per direction.
    pub fn cells(&self) -> [usize; 3] {
        std::array::from_fn(|d| self.layout.cells[d] + self.beyond[d])
    }

    /// Whether a row belongs to it.
    #[inline(always)]
    pub(crate) fn has_row(&self, j: isize, k: isize) -> bool {
        let [_, n_j, n_k] = self.cells().map(|n| n as isize);
        (0..n_j).contains(&j) && (0..n_k).contains(&k)
    }
}
