//! Which cells a step does first: those whose populations other ranks wait for, so that the messages
//! travel while the others are done.

use vortice_core::Subdomain;

use super::numbers::{Layout, Region};

/// Fewer cells are done before messages would have left.
const FEWEST_CELLS: usize = 1 << 13;

/// Cells that are done together across a cut in x: a warp reads as many.
const WIDTH: i32 = 32;

/// Own cells of a subdomain in the order in which a step does them.
pub(crate) struct Regions {
    /// Slabs beside other ranks; none if there is no time to be won.
    pub(crate) outer: Vec<Region>,
    /// All others.
    pub(crate) inner: Region,
}

impl Regions {
    /// Those of a part that has neighbours; all cells at once if it has none or is small.
    pub(crate) fn new(layout: &Layout, part: &Subdomain) -> Self {
        let (mut first, mut end) = ([0; 3], layout.cells);
        let mut outer = Vec::new();
        let shares =
            |d: usize, side: usize| part.neighbours[d][side].is_some_and(|peer| peer != part.rank);
        let thickness = [WIDTH, 1, 1];
        let thick = (0..3).all(|d| !(shares(d, 0) || shares(d, 1)) || end[d] > 4 * thickness[d]);
        if thick && part.n().iter().product::<usize>() >= FEWEST_CELLS {
            // Slabs across z first: what is left of them is cut across y and then x.
            for d in [2, 1, 0] {
                if shares(d, 0) {
                    let mut slab_end = end;
                    slab_end[d] = first[d] + thickness[d];
                    outer.push(layout.region(first, slab_end));
                    first[d] += thickness[d];
                }
                if shares(d, 1) {
                    let mut slab_first = first;
                    slab_first[d] = end[d] - thickness[d];
                    outer.push(layout.region(slab_first, end));
                    end[d] -= thickness[d];
                }
            }
        }
        Self { outer, inner: layout.region(first, end) }
    }
}
