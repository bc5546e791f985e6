//! Where moments lie. [`LANES`] cells of a row lie together, number by number, so that what is read of a cell lies at known
//! distances; rows are filled up with cells that no other cell reads.
//!
//! A step updates them in place, plane after plane: what comes out of a plane is written as many planes ahead of it as are done
//! at once and one more, where nothing lies any longer that is still to be read. So there is room for these planes more. A step
//! of parity 0 goes upwards and writes downwards, one of parity 1 the other way round.

use std::ops::Range;

use vortice_core::{Halo, HaloSide, Shape, Subdomain};

use super::collide::NUMBERS;
use crate::boundary::Site;
use crate::layout::{self, is_shared};

/// So many cells of a row lie together; in kernels/lbm/moments.cuh.
pub(crate) const LANES: usize = 32;

/// Cells that are done at once, at least, if these are not more than half of the planes.
const AT_ONCE: usize = 1 << 23;
/// Planes that are done at once, at least: blocks that go through fewer read too many twice.
const PLANES_AT_ONCE: usize = 32;

/// Places of the moments of one subdomain.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Own cells.
    pub(crate) cells: [usize; 3],
    /// Halo cells on each side. In x and y where ranks share a direction; in z always, but of a flow whose one plane is its own
    /// neighbour.
    pub(crate) halo: [usize; 3],
    /// Whether the box ends here, per direction, low and high.
    pub(crate) ends: [[bool; 2]; 3],
    /// From one row to the next.
    pub(crate) row: usize,
    /// From one plane to the next.
    pub(crate) plane: usize,
    /// Planes that are done at once.
    pub(crate) at_once: usize,
}

impl Places {
    /// Those of a part of the lattice.
    pub(crate) fn new(part: &Subdomain, site: &Site<'_>) -> Self {
        let (cells, ends) = (part.n(), layout::ends(part, site));
        let is_own_neighbour = cells[2] == 1 && ends[2] == [false; 2] && !is_shared(part, 2);
        let halo = [is_shared(part, 0), is_shared(part, 1), !is_own_neighbour].map(usize::from);
        let row = (cells[0] + 2 * halo[0]).next_multiple_of(LANES) * NUMBERS;
        let plane = row * (cells[1] + 2 * halo[1]);
        let at_once = at_once(cells);
        Self { cells, halo, ends, row, plane, at_once }
    }

    /// How many places there are.
    pub(crate) fn len(&self) -> usize {
        self.plane * (self.cells[2] + 2 * self.halo[2] + self.ahead())
    }

    /// Planes by which a step moves all cells.
    fn ahead(&self) -> usize {
        planes_ahead(self.cells)
    }

    /// Where own cell (0, 0, 0) begins before a step of a parity.
    pub(crate) fn first(&self, parity: usize) -> usize {
        let planes = self.halo[2] + if parity == 0 { self.ahead() } else { 0 };
        self.plane * planes + self.row * self.halo[1]
    }

    /// Where the moments of a cell begin before a step of a parity; the next number lies [`LANES`] on.
    pub(crate) fn cell(&self, parity: usize, [i, j, k]: [isize; 3]) -> usize {
        let (row, plane) = (self.row as isize * j, self.plane as isize * k);
        let i = if i < 0 { self.cells[0] + 1 } else { i as usize };
        self.first(parity).wrapping_add_signed(row + plane) + in_row(i)
    }

    /// All places of some planes before a step of a parity.
    pub(crate) fn planes(&self, parity: usize, planes: &Range<usize>) -> Range<usize> {
        let first = self.first(parity) - self.row * self.halo[1];
        first + self.plane * planes.start..first + self.plane * planes.end
    }

    /// Planes that a step of a parity does at once, in its order.
    pub(crate) fn slabs(&self, parity: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let (n, at_once) = (self.cells[2], self.at_once);
        let parts = n.div_ceil(at_once);
        (0..parts).map(move |part| {
            let first = at_once * if parity == 0 { part } else { parts - 1 - part };
            first..(first + at_once).min(n)
        })
    }

    /// All places of a plane, if all of its cells have these moments.
    pub(crate) fn filled_plane<P: Copy>(&self, same: [P; NUMBERS]) -> Vec<P> {
        (0..self.plane).map(|place| same[place / LANES % NUMBERS]).collect()
    }

    /// Own cells, x fastest.
    pub(crate) fn own_cells(&self) -> impl Iterator<Item = [isize; 3]> + use<> {
        Shape { cells: self.cells, halo: [0; 3] }.all_cells()
    }

    /// The exchange of the cells beside other ranks before a step of a parity.
    pub(crate) fn exchange(&self, part: &Subdomain, parity: usize) -> Halo {
        let shape = Shape { cells: self.cells, halo: self.halo };
        let cells = Halo::mapped(&shape, part, |cell| Some(self.cell(parity, cell)));
        let all = |places: &[usize]| -> Vec<usize> {
            (0..NUMBERS).flat_map(|n| places.iter().map(move |place| place + n * LANES)).collect()
        };
        let of_side = |side: &HaloSide| HaloSide {
            send: all(&side.send),
            receive: all(&side.receive),
            ..*side
        };
        let sides =
            cells.passes().iter().map(|pair| pair.each_ref().map(|s| s.as_ref().map(of_side)));
        Halo::of(sides.collect())
    }
}

/// Where a cell begins in its row.
pub(crate) fn in_row(i: usize) -> usize {
    i / LANES * (LANES * NUMBERS) + i % LANES
}

/// Planes that are done at once of so many cells.
fn at_once([n, n_j, n_k]: [usize; 3]) -> usize {
    (AT_ONCE / (n * n_j)).max(PLANES_AT_ONCE).min(n_k.div_ceil(2))
}

/// Planes that there is room for besides those of so many cells.
pub(super) fn planes_ahead(cells: [usize; 3]) -> usize {
    at_once(cells) + 1
}
