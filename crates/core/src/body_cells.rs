//! The cells of a grid that a body covers.

use std::ops::Range;
use std::sync::Arc;

use crate::body::{Body, CoveredRows, margin};
use crate::grid::Grid;

/// The cells of a grid whose centres a body covers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BodyCells {
    pub(crate) body: Arc<Body>,
    /// Cells that it may cover.
    pub(crate) within: [Range<usize>; 3],
    grid: Grid,
    margin: f64,
    /// The cells themselves, where they are not found by distances.
    rows: Option<Arc<CoveredRows>>,
}

impl BodyCells {
    pub(crate) fn new(body: &Arc<Body>, grid: &Grid) -> Self {
        let [low, high] = body.geometry.bounds();
        let within = std::array::from_fn(|d| {
            let axis = &grid.axes[d];
            if body.hollow {
                return 0..axis.len();
            }
            // A float becomes the nearest number that there is: an endless body covers all cells.
            let cell = |x: f64| ((x - axis.low()) / axis.spacing()) as isize;
            let [first, last] = [cell(low[d]).saturating_sub(1), cell(high[d]).saturating_add(2)];
            let inside = |i: isize| i.clamp(0, axis.len() as isize) as usize;
            inside(first)..inside(last)
        });
        let rows = body.geometry.covered_rows(grid, &within, body.hollow);
        Self { body: body.clone(), within, grid: *grid, margin: margin(grid), rows }
    }

    /// Whether it covers a cell of the grid.
    pub(crate) fn contains(&self, cell: [usize; 3]) -> bool {
        if let Some(rows) = &self.rows {
            return rows.contains(cell);
        }
        let centre = || std::array::from_fn(|d| self.grid.axes[d].centre(cell[d] as isize));
        (0..3).all(|d| self.within[d].contains(&cell[d]))
            && self.body.distance(centre()) <= self.margin
    }
}
