//! Cells of the flow that solids close in, row by row.

use std::ops::Range;

/// Rows of a grid of which many are alike: stretches of y and of z, and ranges along x for each pair of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AlikeRows {
    /// Where the stretches of y and z begin, and their end.
    pub(crate) starts: [Vec<usize>; 2],
    /// Where the ranges of each pair begin, y fastest, and their end.
    pub(crate) first: Vec<usize>,
    pub(crate) ranges: Vec<Range<usize>>,
}

impl AlikeRows {
    /// How many stretches of y and of z there are.
    pub(crate) fn stretches(&self) -> [usize; 2] {
        self.starts.each_ref().map(|starts| starts.len() - 1)
    }

    /// The ranges of a pair of stretches, by their numbers.
    pub(crate) fn of(&self, [a, b]: [usize; 2]) -> Range<usize> {
        let row = b * self.stretches()[0] + a;
        self.first[row]..self.first[row + 1]
    }

    /// How many rows a pair of stretches stands for.
    pub(crate) fn alike(&self, pair: [usize; 2]) -> usize {
        let length = |d: usize| self.starts[d][pair[d] + 1] - self.starts[d][pair[d]];
        length(0) * length(1)
    }

    /// The number of the range that holds a cell.
    pub(crate) fn range_at(&self, [i, j, k]: [usize; 3]) -> Option<usize> {
        self.row(j, k).find(|&number| self.ranges[number].contains(&i))
    }

    /// The ranges of a row.
    pub(crate) fn row(&self, j: usize, k: usize) -> Range<usize> {
        let at = |d: usize, i: usize| self.starts[d].partition_point(|&start| start <= i) - 1;
        self.of([at(0, j), at(1, k)])
    }

    /// All pairs of stretches.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        let [ny, nz] = self.stretches();
        (0..nz).flat_map(move |b| (0..ny).map(move |a| [a, b]))
    }
}

/// Regions of the flow that nothing drives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PocketCells {
    pub(crate) rows: AlikeRows,
    /// How many cells they have.
    pub(crate) cells: usize,
    /// How many they are.
    pub(crate) pockets: usize,
    /// A cell of the largest.
    pub(crate) example: [usize; 3],
}

impl PocketCells {
    /// Whether a cell of the grid lies in one.
    pub(crate) fn holds(&self, cell: [usize; 3]) -> bool {
        self.rows.range_at(cell).is_some()
    }
}
