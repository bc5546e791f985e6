//! How far a body by a condition reaches.

use super::covered::{CoveredRows, least_spacing};
use crate::boundary::Side;
use crate::grid::Grid;

/// Outermost cells that are tried in each direction.
const TRIED: usize = 64;

/// The last step aside, as a share of a cell.
const FINEST: f64 = 1e-8;

/// A body and the cells whose centres it covers.
pub(super) struct Extremes<'a> {
    /// Below zero inside.
    pub(super) value: &'a dyn Fn([f64; 3]) -> f64,
    /// Where a straight line first meets the surface, as a share of its length.
    pub(super) crossing: &'a dyn Fn([f64; 3], [f64; 3]) -> Option<f64>,
    /// Whether it depends on x, y and z.
    pub(super) varies: [bool; 3],
    pub(super) grid: &'a Grid,
    pub(super) rows: &'a CoveredRows,
}

impl Extremes<'_> {
    /// Low and high corner of the box that holds it, cut off where the grid ends; endless along what it does not
    /// depend on, and the other way round if it covers no cell.
    pub(super) fn bounds(&self) -> [[f64; 3]; 2] {
        let mut bounds = [[f64::NEG_INFINITY; 3], [f64::INFINITY; 3]];
        for d in self.grid.directions().filter(|&d| self.varies[d]) {
            for side in Side::BOTH {
                let sign = side.outward() as f64;
                let tried = self.outermost(d, side).into_iter().map(|cell| self.grid.centre(cell));
                let reached = tried.map(|point| (self.reach(point, d, side), point));
                let best = reached.max_by(|one, other| (sign * one.0).total_cmp(&(sign * other.0)));
                let Some(best) = best else {
                    return [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
                };
                bounds[side as usize][d] = self.outwards(best, d, side);
            }
        }
        bounds
    }

    /// Some of the outermost covered cells in a direction.
    fn outermost(&self, d: usize, side: Side) -> Vec<[isize; 3]> {
        let ends = || {
            self.rows.iter().filter_map(|([j, k], ranges)| {
                let (first, last) = (ranges.first()?.start, ranges.last()?.end - 1);
                let i = if side == Side::Low { first } else { last };
                Some([i as isize, j as isize, k as isize])
            })
        };
        let rank = |cell: &[isize; 3]| side.outward() * cell[d];
        let Some(most) = ends().map(|cell| rank(&cell)).max() else { return Vec::new() };
        let all: Vec<_> = ends().filter(|cell| rank(cell) == most).collect();
        let stride = all.len().div_ceil(TRIED);
        all.into_iter().step_by(stride).collect()
    }

    /// How far the body goes on from a point in it, to the end of the grid at most.
    fn reach(&self, point: [f64; 3], d: usize, side: Side) -> f64 {
        if (self.value)(point) >= 0.0 {
            // On the surface but for rounding.
            return point[d];
        }
        let (mut beyond, axis) = (point, &self.grid.axes[d]);
        beyond[d] = if side == Side::Low { axis.low() } else { axis.high() };
        let share = (self.crossing)(point, beyond).unwrap_or(1.0);
        point[d] + share * (beyond[d] - point[d])
    }

    /// How far the body goes in a direction: from where it was reached aside, as long as that leads further.
    fn outwards(&self, (mut reached, mut point): (f64, [f64; 3]), d: usize, side: Side) -> f64 {
        let sign = side.outward() as f64;
        let mut step = 0.5;
        while step > FINEST {
            let mut is_better = false;
            for aside in self.grid.directions().filter(|&aside| aside != d) {
                for way in [-step, step] {
                    // A little inside of the surface, or the way aside leads out of the body at once.
                    let mut tried = point;
                    tried[aside] += way * least_spacing(self.grid);
                    let there = self.reach(tried, d, side);
                    if (self.value)(tried) < 0.0 && sign * there > sign * reached {
                        (reached, point, is_better) = (there, tried, true);
                    }
                }
            }
            if !is_better {
                step *= 0.5;
            }
        }
        reached
    }
}
