//! The cells that a body covers, found once for each grid where its distances are dear.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::grid::Grid;

/// How near to the surface, as a share of a cell's width, a centre counts as covered: the same on all ranks and grids.
const ON_SURFACE: f64 = 1e-9;

/// Grids whose cells are remembered: that of the case, and those that methods make of it.
const GRIDS: usize = 4;

/// Distance in m from the surface up to which a centre counts as covered.
pub(crate) fn margin(grid: &Grid) -> f64 {
    ON_SURFACE * least_spacing(grid)
}

/// The least width of a cell in m.
pub(super) fn least_spacing(grid: &Grid) -> f64 {
    grid.directions().map(|d| grid.spacing()[d]).fold(f64::INFINITY, f64::min)
}

/// Covered cells of a block, as ranges along x.
#[derive(Debug, PartialEq)]
pub(crate) struct CoveredRows {
    /// The rows, in y and z.
    rows: [Range<usize>; 2],
    /// Where the ranges of each row begin, and their end.
    starts: Vec<usize>,
    ranges: Vec<Range<u32>>,
}

impl CoveredRows {
    /// Of what `of_row` has for each row of a block, in ascending order.
    pub(super) fn new(
        [_, y, z]: &[Range<usize>; 3],
        of_row: impl Fn(usize, usize) -> Vec<Range<u32>> + Sync,
    ) -> Self {
        let ny = y.len();
        let row = |n: usize| of_row(y.start + n % ny, z.start + n / ny);
        let rows: Vec<Vec<Range<u32>>> = (0..ny * z.len()).into_par_iter().map(row).collect();
        let mut starts = Vec::with_capacity(rows.len() + 1);
        let mut n = 0;
        for row in &rows {
            starts.push(n);
            n += row.len();
        }
        starts.push(n);
        Self { rows: [y.clone(), z.clone()], starts, ranges: rows.into_iter().flatten().collect() }
    }

    /// The ranges of a row.
    pub(super) fn row(&self, j: usize, k: usize) -> &[Range<u32>] {
        let [y, z] = &self.rows;
        if !y.contains(&j) || !z.contains(&k) {
            return &[];
        }
        let row = (k - z.start) * y.len() + j - y.start;
        &self.ranges[self.starts[row]..self.starts[row + 1]]
    }

    /// Whether it covers a cell.
    pub(crate) fn contains(&self, [i, j, k]: [usize; 3]) -> bool {
        self.row(j, k).iter().any(|range| range.contains(&(i as u32)))
    }

    /// All rows with their ranges.
    pub(super) fn iter(&self) -> impl Iterator<Item = ([usize; 2], &[Range<u32>])> {
        let [y, z] = self.rows.clone();
        let rows = z.flat_map(move |k| y.clone().map(move |j| [j, k]));
        rows.map(|[j, k]| ([j, k], self.row(j, k)))
    }
}

/// The places of a row where something holds.
pub(super) fn ranges_where(row: Range<usize>, holds: impl Fn(usize) -> bool) -> Vec<Range<u32>> {
    let mut ranges: Vec<Range<u32>> = Vec::new();
    for i in row.filter(|&i| holds(i)) {
        match ranges.last_mut() {
            Some(last) if last.end == i as u32 => last.end += 1,
            _ => ranges.push(i as u32..i as u32 + 1),
        }
    }
    ranges
}

/// A grid, whether the body is hollow, and the cells that it covers.
type Known = (Grid, bool, Arc<CoveredRows>);

/// The covered cells of some grids.
#[derive(Default)]
pub(super) struct Covered(Mutex<Vec<Known>>);

impl fmt::Debug for Covered {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Covered of {} grids", self.lock().len())
    }
}

impl Covered {
    /// Those of a grid, made unless they are known.
    pub(super) fn get(
        &self,
        grid: &Grid,
        hollow: bool,
        make: impl FnOnce() -> CoveredRows,
    ) -> Arc<CoveredRows> {
        let known = self.lock().iter().find(|known| known.0 == *grid && known.1 == hollow).cloned();
        // Not locked while they are made: threads that wait for each other's work must not meet a lock.
        known.map_or_else(|| self.keep(grid, hollow, make()), |(.., rows)| rows)
    }

    pub(super) fn keep(&self, grid: &Grid, hollow: bool, rows: CoveredRows) -> Arc<CoveredRows> {
        let rows = Arc::new(rows);
        let mut known = self.lock();
        if known.len() == GRIDS {
            known.remove(0);
        }
        known.push((*grid, hollow, Arc::clone(&rows)));
        rows
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
