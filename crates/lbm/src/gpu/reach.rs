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
        /// To `next` from the place that the last cell has in its column, for there neighbours lie elsewhere.
        more_in_column: [i64; 13],
    }
}

impl Reach {
    /// That of a lattice whose populations take so many bytes.
    pub(crate) fn new<const Q: usize>(of: &Layout, parity: usize, bytes: usize) -> Self {
        // Some cell, far enough from the first place.
        let here = of.slot;
        let to = |q: usize| of.arriving_inside::<Q>(parity, here, q) as i64 - here as i64;
        // The only layer without an end is above and below itself.
        let above = i64::from(!of.is_own_neighbour(2));
        let [_, row, plane] = of.strides().map(|n| n as i64);
        let plane_in_column = of.column(1).map_or(0, |[_, plane]| plane as i64);
        let (mut next, mut more_in_column) = ([0; 13], [0; 13]);
        for p in 0..Lattice::<Q>::PAIRS {
            let [x, y, z] = Lattice::<Q>::c(p).map(i64::from);
            let (slot, z) = (((2 * p + 1 + parity) * of.slot) as i64, above * z);
            let far = x + row * y + plane * z;
            next[p] = slot + far;
            more_in_column[p] = y + plane_in_column * z - far;
        }
        // The place that cells share elsewhere a cell beside an end has to itself, in the other of the two slots.
        let alone = |end: bool| if end { (parity * of.slot) as i64 } else { 0 };
        let around = if of.shape.halo[0] == 0 { of.shape.cells[0] as i64 } else { 0 };
        let [first, last] = of.ends[0].map(alone);
        let in_bytes = |places: i64| places * bytes as i64;
        Self {
            own: in_bytes(to(1)),
            pair: in_bytes(to(3) - to(1)),
            next: next.map(in_bytes),
            more_at_first: in_bytes(first),
            more_at_last: in_bytes(-last - around),
            more_in_column: more_in_column.map(in_bytes),
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
            let in_column = |number| {
                of.column(number).map(|[first, plane]| (first + 1 + plane * k as usize) as i64)
            };
            let here = of.cell(cell) as i64;
            for p in 0..Lattice::<19>::PAIRS {
                let crosses = Lattice::<19>::c(p)[0] != 0;
                let [first, last] = [i == 0, i == n - 1].map(|end| end && crosses);
                let mut own = here + reach.own + p as i64 * reach.pair;
                let mut next = here + reach.next[p];
                if first {
                    own += reach.more_at_first + in_column(0).map_or(0, |column| column - here);
                }
                if last {
                    let more = |column| column - here + reach.more_in_column[p];
                    next += reach.more_at_last + in_column(1).map_or(0, more);
                }
                let places = [2 * p + 1, 2 * p + 2].map(|q| of.arriving::<19>(parity, cell, q));
                assert_eq!([own, next], places.map(|place| place as i64), "{of:?} {cell:?} {p}");
            }
        }
    }

    #[test]
    fn cells_within_reach_find_their_populations() {
        let layout = |cells, halo, low, in_z| {
            let ends = [[low, false], [true; 2], [in_z; 2]];
            Layout { shape: Shape { cells, halo }, slot: 256, columns: None, ends }
        };
        for n in 1..4 {
            for halo in [[0; 3], [1, 1, 0], [0, 1, 1]] {
                let layout = layout([n, 4, 3], halo, halo[0] == 0, true);
                expect_reached(&layout, 1);
                expect_reached(&layout.on_gpu(), 1);
            }
            for halo in [[0; 3], [1, 1, 0]] {
                let layout = layout([n, 4, 1], halo, false, false);
                expect_reached(&layout, 0);
                expect_reached(&layout.on_gpu(), 0);
            }
        }
    }
}
