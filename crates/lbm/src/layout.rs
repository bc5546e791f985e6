//! Where populations lie: one lattice of slots, updated in place; Esoteric-Pull of Lehmann (2022),
//! eq. (L17). Twin of kernels/lbm/layout.cuh.
//!
//! The two populations that cross a link between cell n and cell m = n + c (c numbered 2 p + 1)
//! share the two slots 2 p + 1 and 2 p + 2 of cell m. In a step of parity 0 the lower cell n takes
//! and leaves in slot 2 p + 1, the upper cell m in slot 2 p + 2; in a step of parity 1 the other way
//! round. So in every step each place belongs to one cell, whatever the order of cells.
//!
//! Where the box ends nothing crosses: each end of the link keeps one slot to itself, n slot 2 p + 1
//! and m slot 2 p + 2, and finds there what it left: a wall half a cell away. Therefore cells beyond
//! the box are not needed, and m may be any cell, the first of the row when n is the last.
//!
//! On a GPU a row has no halo cells. Where ranks share x the places of links across x that first cells have, and those behind
//! the last cells, lie in two columns behind the rows of each slot: what a message takes lies together, and rows begin
//! where a warp likes to read.

use vortice_core::{Shape, Subdomain};

use crate::boundary::Site;
use crate::lattice::Lattice;

/// Places of the populations of one subdomain.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Own cells, and one more on each side in directions that ranks share.
    pub(crate) shape: Shape,
    /// Places from one slot to the next.
    pub(crate) slot: usize,
    /// Where the columns of a slot begin, if it has some.
    pub(crate) columns: Option<usize>,
    /// Whether the box ends here, per direction, low and high.
    pub(crate) ends: [[bool; 2]; 3],
}

/// Slots begin at multiples of so many values.
const ALIGNMENT: usize = 64;

/// From so many planes on two more do not count.
const MANY_PLANES: usize = 64;

/// Places from one slot to the next of so many cells on the processor: an odd multiple. With a power of two, as on 512 x 512 cells, all
/// populations of a cell would have to share the few places of a cache that belong to one address, and a step took twice as long.
fn slot(cells: usize) -> usize {
    ALIGNMENT * (cells.div_ceil(ALIGNMENT) | 1)
}

/// Whether a part has other ranks beside it in a direction.
pub(crate) fn is_shared(part: &Subdomain, d: usize) -> bool {
    part.neighbours[d].iter().flatten().any(|&peer| peer != part.rank)
}

/// Whether the box ends at a part, per direction, low and high.
pub(crate) fn ends(part: &Subdomain, site: &Site<'_>) -> [[bool; 2]; 3] {
    std::array::from_fn(|d| {
        part.neighbours[d].map(|peer| peer.is_none() && !site.surfaces.is_endless(d))
    })
}

impl Layout {
    /// The layout of a part of the lattice.
    pub(crate) fn new(part: &Subdomain, site: &Site<'_>) -> Self {
        let halo = std::array::from_fn(|d| usize::from(is_shared(part, d)));
        let (shape, ends) = (Shape { cells: part.n(), halo }, ends(part, site));
        Self { shape, slot: slot(shape.len()), columns: None, ends }
    }

    /// The same on a GPU, where slots lie as near as they can: 16-bit numbers are up to 6 % faster so. But not two planes more
    /// than a power of two apart, as halos and columns make them: that takes 2 % of the speed.
    pub(crate) fn on_gpu(self) -> Self {
        let [_, rows, planes] = self.shape.padded();
        let [columns, row] = match self.shape.halo[0] {
            0 => [0, self.shape.padded()[0]],
            _ => [2, self.shape.cells[0]],
        };
        let of_rows = row * rows * planes;
        let two_planes =
            if self.shape.halo != [0; 3] && planes >= MANY_PLANES { 2 * row * rows } else { 0 };
        let places = of_rows + columns * rows * planes + two_planes;
        let columns = (columns > 0).then_some(of_rows);
        Self { slot: places.next_multiple_of(ALIGNMENT), columns, ..self }
    }

    /// Distances between neighbours in x, y and z.
    pub(crate) fn strides(&self) -> [usize; 3] {
        let [x, y, _] = self.shape.padded();
        let row = if self.columns.is_some() { self.shape.cells[0] } else { x };
        [1, row, row * y]
    }

    /// Places of the rows and planes that come before own ones.
    pub(crate) fn before(&self) -> [usize; 3] {
        let [x, y, z] = self.shape.halo;
        [if self.columns.is_some() { 0 } else { x }, y, z]
    }

    /// Where a column of a slot has the place of own cell (0, 0), and how far it is from there to the next plane's; nothing
    /// if there are none.
    pub(crate) fn column(&self, number: usize) -> Option<[usize; 2]> {
        let ([_, rows, planes], [_, y, z]) = (self.shape.padded(), self.shape.halo);
        Some([self.columns? + number * rows * planes + y + rows * z, rows])
    }

    /// The place within a slot of the link along pair `p` between a cell and the one before it.
    pub(crate) fn shared<const Q: usize>(&self, cell: [isize; 3], p: usize) -> usize {
        let ends = [0, self.shape.cells[0] as isize];
        let number = ends.iter().position(|&i| i == cell[0] && Lattice::<Q>::c(p)[0] != 0);
        let Some([at, plane]) = number.and_then(|number| self.column(number)) else {
            return self.cell(cell);
        };
        let [_, j, k] = self.wrapped(cell);
        at.wrapping_add_signed(j + plane as isize * k)
    }

    /// Without a halo a cell beyond the last is the first.
    fn wrapped(&self, cell: [isize; 3]) -> [isize; 3] {
        std::array::from_fn(|d| {
            let n = self.shape.cells[d] as isize;
            if self.shape.halo[d] == 0 { cell[d].rem_euclid(n) } else { cell[d] }
        })
    }

    /// Places of all populations of a lattice with `velocities`.
    pub(crate) fn len(&self, velocities: usize) -> usize {
        velocities * self.slot
    }

    /// The place of a cell within a slot.
    pub(crate) fn cell(&self, cell: [isize; 3]) -> usize {
        let (at, before, strides) = (self.wrapped(cell), self.before(), self.strides());
        (0..3).map(|d| at[d].wrapping_add_unsigned(before[d]) as usize * strides[d]).sum()
    }

    /// Whether there is one cell in a direction, and nothing ends beside it.
    pub(crate) fn is_own_neighbour(&self, d: usize) -> bool {
        self.shape.cells[d] == 1 && self.shape.halo[d] == 0 && self.ends[d] == [false; 2]
    }

    /// Whether the box ends between an own cell and the next along `c`.
    pub(crate) fn ends_beside(&self, cell: [isize; 3], c: [i8; 3]) -> bool {
        (0..3).any(|d| match c[d] {
            0 => false,
            1.. => self.ends[d][1] && cell[d] == self.shape.cells[d] as isize - 1,
            _ => self.ends[d][0] && cell[d] == 0,
        })
    }

    /// The place that an own cell shares with the cell before it along pair `p`: there it finds
    /// population 2 p + 1 and leaves 2 p + 2.
    pub(crate) fn own<const Q: usize>(&self, parity: usize, cell: [isize; 3], p: usize) -> usize {
        let back = Lattice::<Q>::c(p).map(|c| -c);
        let ends = self.ends_beside(cell, back);
        let slot = if ends { 2 * p + 2 } else { 2 * p + 2 - parity };
        slot * self.slot + self.shared::<Q>(cell, p)
    }

    /// The place that it shares with the next cell along pair `p`: there it finds population
    /// 2 p + 2 and leaves 2 p + 1.
    pub(crate) fn next<const Q: usize>(&self, parity: usize, cell: [isize; 3], p: usize) -> usize {
        let c = Lattice::<Q>::c(p);
        let slot = if self.ends_beside(cell, c) { 2 * p + 1 } else { 2 * p + 1 + parity };
        slot * self.slot + self.shared::<Q>(crate::boundary::next(cell, c), p)
    }

    /// Where an own cell finds population `q` in a step of this parity.
    pub(crate) fn arriving<const Q: usize>(
        &self,
        parity: usize,
        cell: [isize; 3],
        q: usize,
    ) -> usize {
        match q {
            0 => self.cell(cell),
            q if q % 2 == 1 => self.own::<Q>(parity, cell, q / 2),
            q => self.next::<Q>(parity, cell, q / 2 - 1),
        }
    }

    /// The place within a slot of an own cell that does not lie at an end of its subdomain: its neighbours
    /// lie where memory has them.
    #[inline]
    pub(crate) fn inside<const Q: usize>(&self, cell: [isize; 3]) -> Option<usize> {
        let inside = |d: usize| cell[d] > 0 && cell[d] + 1 < self.shape.cells[d] as isize;
        (0..Lattice::<Q>::D).all(inside).then(|| self.cell(cell))
    }

    /// [`Self::arriving`] for a cell that is [`Self::inside`], in the place `here`.
    #[inline]
    pub(crate) fn arriving_inside<const Q: usize>(
        &self,
        parity: usize,
        here: usize,
        q: usize,
    ) -> usize {
        match q {
            0 => here,
            q if q % 2 == 1 => (q + 1 - parity) * self.slot + here,
            q => {
                let c = Lattice::<Q>::c(q / 2 - 1).map(isize::from);
                let strides = self.strides().map(|stride| stride as isize);
                let there = (0..3).map(|d| c[d] * strides[d]).sum::<isize>();
                ((q - 1 + parity) * self.slot + here).wrapping_add_signed(there)
            }
        }
    }

    /// Where an own cell finds all of them.
    pub(crate) fn all_arriving<const Q: usize>(
        &self,
        parity: usize,
        cell: [isize; 3],
    ) -> [usize; Q] {
        match self.inside::<Q>(cell) {
            Some(here) => std::array::from_fn(|q| self.arriving_inside::<Q>(parity, here, q)),
            None => std::array::from_fn(|q| self.arriving::<Q>(parity, cell, q)),
        }
    }

    /// Where it leaves it.
    pub(crate) fn leaving<const Q: usize>(
        &self,
        parity: usize,
        cell: [isize; 3],
        q: usize,
    ) -> usize {
        self.arriving::<Q>(parity, cell, crate::lattice::opposite(q))
    }

    /// Own cells, x fastest.
    pub(crate) fn own_cells(&self) -> impl Iterator<Item = [isize; 3]> + use<> {
        Shape { halo: [0; 3], ..self.shape }.all_cells()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells that are told to be inside, all of whose populations lie where any cell's do.
    fn inside<const Q: usize>(layout: &Layout) -> usize {
        let cells = layout.own_cells().filter_map(|cell| Some((cell, layout.inside::<Q>(cell)?)));
        let cells: Vec<_> = cells.collect();
        for (cell, here) in &cells {
            for (parity, q) in (0..2).flat_map(|parity| (0..Q).map(move |q| (parity, q))) {
                let place = layout.arriving_inside::<Q>(parity, *here, q);
                assert_eq!(place, layout.arriving::<Q>(parity, *cell, q), "{cell:?} {q}");
            }
        }
        cells.len()
    }

    #[test]
    fn slots_have_room_and_are_no_power_of_two_apart() {
        for (cells, expected) in [(1, 64), (65, 192), (192, 192), (512 * 512, 512 * 512 + 64)] {
            assert_eq!(slot(cells), expected);
        }
    }

    /// Own cells find and leave each population in a place of its own, whatever lies in columns, and all within slots.
    #[test]
    fn no_two_cells_have_a_place_in_common() {
        for (halo, ends) in [([1, 0, 0], true), ([1, 1, 1], false), ([1, 0, 1], false)] {
            let shape = Shape { cells: [4, 3, 5], halo };
            let ends = [[ends, false], [ends; 2], [ends; 2]];
            let layout = Layout { shape, slot: 0, columns: None, ends }.on_gpu();
            assert_eq!(layout.strides()[..2], [1, 4]);
            for parity in 0..2 {
                let of_cell = |cell| layout.all_arriving::<19>(parity, cell);
                let mut places: Vec<_> = layout.own_cells().flat_map(of_cell).collect();
                places.sort_unstable();
                assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "{halo:?}");
                assert!(places.last().is_some_and(|&last| last < layout.len(19)), "{halo:?}");
            }
        }
    }

    #[test]
    fn cells_inside_have_their_neighbours_where_memory_has_them() {
        for halo in [[0, 0, 0], [0, 1, 1], [1, 1, 0]] {
            let shape = Shape { cells: [5, 4, 3], halo };
            let layout = Layout { shape, slot: 256, columns: None, ends: [[true, false]; 3] };
            assert_eq!((inside::<9>(&layout), inside::<19>(&layout)), (18, 6));
        }
    }
}
