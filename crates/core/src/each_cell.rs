//! The cells of a block, one after the other.

use std::ops::Range;

/// The cells of a block, x fastest.
pub fn each_cell([x, y, z]: [Range<isize>; 3]) -> impl Iterator<Item = [isize; 3]> + use<> {
    z.flat_map(move |k| {
        let x = x.clone();
        y.clone().flat_map(move |j| x.clone().map(move |i| [i, j, k]))
    })
}

/// The same of a block of the grid.
pub fn each_cell_of_grid(block: &[Range<usize>; 3]) -> impl Iterator<Item = [isize; 3]> + use<> {
    each_cell(block.clone().map(|range| range.start as isize..range.end as isize))
}
