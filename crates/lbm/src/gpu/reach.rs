//! Where a cell finds its populations, if no end of its plane is near: at the same distances in every cell.

use crate::lattice::Lattice;
use crate::layout::Layout;

vortice_gpu::mirrored! {
    /// How far from a cell its populations lie, in bytes, in a step of one parity, where no end of its plane is near; in
    /// `layout.cuh`.
    pub(crate) struct Reach {
        /// To what it shares with the cell before it along pair 0.
        own: i64,
        /// From there to the same along the next pair.
        pair: i64,
        /// To what it shares with the next cell along each pair, of which D3Q27 has most.
        next: [i64; 13],
        /// To `own` of the pairs that cross x, in the first cell of a row.
        more_at_first: i64,
        /// To `next` of them, in the last.
        more_at_last: i64,
    }
}

impl Reach {
    /// That of a lattice whose populations take so many bytes.
    pub(crate) fn new<const Q: usize>(of: &Layout, parity: usize, bytes: usize) -> Self {
        // Some cell, far enough from the first place.
        let here = of.slot;
        let to = |q: usize| of.arriving_inside::<Q>(parity, here, q) as i64 - here as i64;
        // The only layer without an end is above and below itself.
        let layer = if of.is_own_neighbour(2) { of.shape.strides()[2] as i64 } else { 0 };
        let mut next = [0; 13];
        for (p, next) in next.iter_mut().enumerate().take(Lattice::<Q>::PAIRS) {
            *next = to(2 * p + 2) - layer * i64::from(Lattice::<Q>::c(p)[2]);
        }
        // The place that cells share elsewhere a cell beside an end has to itself, in the other of the two slots.
        let alone = |end: bool| if end { (parity * of.slot) as i64 } else { 0 };
        let row = if of.shape.halo[0] == 0 { of.shape.cells[0] as i64 } else { 0 };
        let [first, last] = of.ends[0].map(alone);
        let in_bytes = |places: i64| places * bytes as i64;
        Self {
            own: in_bytes(to(1)),
            pair: in_bytes(to(3) - to(1)),
            next: next.map(in_bytes),
            more_at_first: in_bytes(first),
            more_at_last: in_bytes(-last - row),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_core::Shape;

    /// Populations of the cells in the middle row of a layer lie where their reach says.
    fn expect_reached(of: &Layout, k: isize) {
        let n = of.shape.cells[0] as isize;
        for (parity, i) in (0..2).flat_map(|parity| (0..n).map(move |i| (parity, i))) {
            let (reach, cell) = (Reach::new::<19>(of, parity, 1), [i, 1, k]);
            let far = |q| of.arriving::<19>(parity, cell, q) as i64 - of.cell(cell) as i64;
            for p in 0..Lattice::<19>::PAIRS {
                let crosses = i64::from(Lattice::<19>::c(p)[0] != 0);
                let at = |end: bool, more: i64| if end { crosses * more } else { 0 };
                let own = reach.own + p as i64 * reach.pair + at(i == 0, reach.more_at_first);
                let next = reach.next[p] + at(i == n - 1, reach.more_at_last);
                assert_eq!([own, next], [far(2 * p + 1), far(2 * p + 2)], "{of:?} {cell:?} {p}");
            }
        }
    }

    #[test]
    fn cells_within_reach_find_their_populations() {
        let layout = |cells, halo, low, in_z| Layout {
            shape: Shape { cells, halo },
            slot: 256,
            ends: [[low, false], [true; 2], [in_z; 2]],
        };
        for n in 1..4 {
            for halo in [[0; 3], [1, 1, 0], [0, 1, 1]] {
                expect_reached(&layout([n, 4, 3], halo, halo[0] == 0, true), 1);
            }
            for halo in [[0; 3], [1, 1, 0]] {
                expect_reached(&layout([n, 4, 1], halo, false, false), 0);
            }
        }
    }
}
