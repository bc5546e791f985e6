//! Which cells a step does first: those whose populations other ranks wait for, so that the messages
//! travel while the others are done.

use vortice_core::Subdomain;

use super::numbers::{Layout, Region};

/// Fewer cells are done before messages would have left.
const FEWEST_CELLS: usize = 1 << 13;

/// Planes or rows below which none are set apart.
const THINNEST: i32 = 4;

/// Own cells of a subdomain in the order in which a step does them.
pub(crate) struct Regions {
    /// Slabs beside other ranks; none if there is no time to be won.
    pub(crate) outer: Vec<Region>,
    /// All others.
    pub(crate) inner: Region,
}

impl Regions {
    /// Those of a part; all cells at once if it has no neighbours in y or z, or is small. Rows are not
    /// cut: if there are neighbours in x, what they wait for is in all of them.
    pub(crate) fn new(layout: &Layout, part: &Subdomain) -> Self {
        let mut inner = layout.whole();
        let mut outer = Vec::new();
        let shares =
            |d: usize, side: usize| part.neighbours[d][side].is_some_and(|peer| peer != part.rank);
        let small = part.n().iter().product::<usize>() < FEWEST_CELLS;
        if small || shares(0, 0) || shares(0, 1) {
            return Self { outer, inner };
        }
        // Planes across z first, then what is left of them across y.
        for (which, d) in [(1, 2), (0, 1)] {
            if !(shares(d, 0) || shares(d, 1)) {
                continue;
            }
            if inner.end[which] - inner.first[which] < THINNEST {
                return Self { outer: Vec::new(), inner: layout.whole() };
            }
            if shares(d, 0) {
                let mut slab = inner;
                slab.end[which] = inner.first[which] + 1;
                inner.first[which] += 1;
                outer.push(slab);
            }
            if shares(d, 1) {
                let mut slab = inner;
                slab.first[which] = inner.end[which] - 1;
                inner.end[which] -= 1;
                outer.push(slab);
            }
        }
        Self { outer, inner }
    }
}
