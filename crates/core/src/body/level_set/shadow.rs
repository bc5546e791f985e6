//! What a body by a condition shows to a flow along x.

use rayon::prelude::*;

use super::LevelSet;
use crate::grid::Grid;

/// Lines along x for each cell in y and z, and points of a line for each cell in x.
const LINES: f64 = 2.0;
const POINTS: f64 = 4.0;

/// Halvings between a line that meets the body and the next one, which does not.
const HALVINGS: usize = 24;

impl LevelSet {
    /// Area in m2 of its shadow along x on a window in y and z, of a plane flow its width in m. Its outermost points and
    /// the edges of what lies between its parts are sharp in a plane flow; in space it is cut into strips across z.
    pub(crate) fn shadow(&self, grid: &Grid, [y, z]: [[f64; 2]; 2]) -> f64 {
        let number = |d: usize, [low, high]: [f64; 2], each: f64| {
            let cells = (high - low) / grid.spacing()[d];
            // Also of a body without end.
            if cells > 0.0 && cells.is_finite() { (each * cells).ceil() as usize } else { 0 }
        };
        if grid.is_plane() {
            let z = grid.axes[2].centre(0);
            // A curved body is met by no other line at its ends.
            let met = |n: usize, of: usize| n == 0 || n == of;
            return self.width(grid, (y, number(1, y, LINES)), z, met);
        }
        let strips = number(2, z, LINES);
        let thickness = (z[1] - z[0]) / strips.max(1) as f64;
        let width = |n: usize| {
            let z = z[0] + (n as f64 + 0.5) * thickness;
            self.width(grid, (y, number(1, y, LINES)), z, |_, _| false)
        };
        // Added up in their order, whichever thread has found them.
        let widths: Vec<f64> = (0..strips).into_par_iter().map(width).collect();
        widths.iter().sum::<f64>() * thickness
    }

    /// How wide its shadow is at a height, by the ends of parts of an interval in y; some ends are known to be met.
    fn width(
        &self,
        grid: &Grid,
        ([low, high], parts): ([f64; 2], usize),
        z: f64,
        known: impl Fn(usize, usize) -> bool,
    ) -> f64 {
        let at = |share: f64| low + share * (high - low);
        let meets = |y: f64| self.meets(grid, y, z);
        let part = 1.0 / parts.max(1) as f64;
        let ends: Vec<bool> =
            (0..=parts).map(|n| known(n, parts) || meets(at(n as f64 * part))).collect();
        let width = |n: usize| match [ends[n], ends[n + 1]] {
            [true, true] => part,
            [false, false] => 0.0,
            [first, _] => {
                let (mut inside, mut outside) = (n as f64 * part, (n + 1) as f64 * part);
                if !first {
                    std::mem::swap(&mut inside, &mut outside);
                }
                let edge = inside;
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (inside + outside);
                    if meets(at(middle)) { inside = middle } else { outside = middle }
                }
                (inside - edge).abs()
            }
        };
        (0..parts).map(width).sum::<f64>() * (high - low)
    }

    /// Whether it covers a point of a line along x, as far as the grid goes.
    fn meets(&self, grid: &Grid, y: f64, z: f64) -> bool {
        let axis = &grid.axes[0];
        let [low, high] = [0, 1].map(|end| self.bounds[end][0].clamp(axis.low(), axis.high()));
        let points = (POINTS * (high - low) / axis.spacing()).ceil().max(1.0) as usize;
        let step = (high - low) / points as f64;
        let value = |share: f64| self.value([low + share * step, y, z]);
        let values: Vec<f64> = (0..points).map(|n| value(n as f64 + 0.5)).collect();
        // Between points that lie outside it may reach the line where the parabola through three has its lowest point.
        let dips = |(n, three): (usize, &[f64])| {
            let [rise, bend] = [three[2] - three[0], three[0] - 2.0 * three[1] + three[2]];
            let is_lowest = three[1] <= three[0] && three[1] <= three[2] && bend > 0.0;
            is_lowest && value(n as f64 + 1.5 - 0.5 * rise / bend) < 0.0
        };
        values.iter().any(|value| *value < 0.0) || values.windows(3).enumerate().any(dips)
    }
}
