//! Bodies by a condition such as `x^2 + y^2 < 0.25`: solid where a formula is below zero.
//!
//! The formula is no distance. Its zeros are: the nearest one is looked for by Newton's method along its slope, and
//! where a line meets the surface by samples and bisection.

mod shadow;

use std::ops::Range;
use std::sync::Arc;

use super::covered::{Covered, CoveredRows, least_spacing, margin, ranges_where};
use super::extremes::Extremes;
use crate::expression::Expression;
use crate::grid::Grid;

/// A step for differences of the formula, as a share of a cell.
const DIFFERENCE: f64 = 1e-4;

/// Steps to the nearest zero at most, and the share of a cell below which one is the last.
const NEWTON: (usize, f64) = (12, 1e-13);

/// Samples of a line for each cell that it is long, and of a line at most.
const SAMPLES: (f64, usize) = (8.0, 1 << 14);

/// Halvings between two samples of different sign: 2^-48 of what lies between them.
const HALVINGS: usize = 48;

/// Share of the largest value below which a formula may be zero but for rounding.
const NEARLY_ZERO: f64 = 1e-6;

/// Cells along each direction whose values tell how large a formula is, at most.
const SIZED_BY: usize = 32;

/// All points where a formula of the place is below zero.
#[derive(Clone, Debug)]
pub struct LevelSet {
    formula: Expression,
    /// Of a cell in m: lengths that matter are shares of it.
    length: f64,
    /// Below it the formula may be zero but for rounding.
    small: f64,
    bounds: [[f64; 3]; 2],
    covered: Arc<Covered>,
}

impl PartialEq for LevelSet {
    fn eq(&self, other: &Self) -> bool {
        self.formula == other.formula && self.length == other.length && self.bounds == other.bounds
    }
}

impl LevelSet {
    /// Of a condition that is sought for in the cells of a grid.
    ///
    /// # Errors
    /// The centre of a cell where the formula is no number.
    pub(crate) fn new(formula: Expression, grid: &Grid) -> Result<Self, [f64; 3]> {
        let no_number = |point: &[f64; 3]| formula.value(*point, 0.0).is_nan();
        if let Some(point) = grid.sampled_centres(SIZED_BY).find(no_number) {
            return Err(point);
        }
        let values = grid.sampled_centres(SIZED_BY).map(|point| formula.value(point, 0.0).abs());
        let small = NEARLY_ZERO * values.filter(|value| value.is_finite()).fold(0.0, f64::max);
        let length = least_spacing(grid);
        let nowhere = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        let covered = Arc::default();
        let mut level_set = Self { formula, length, small, bounds: nowhere, covered };
        let whole = grid.cells().map(|n| 0..n);
        let rows = level_set.rows_of(grid, &whole, false);
        let extremes = Extremes {
            value: &|point| level_set.value(point),
            crossing: &|from, to| level_set.crossing(from, to),
            varies: [0, 1, 2].map(|d| level_set.varies_along(d)),
            grid,
            rows: &rows,
        };
        level_set.bounds = extremes.bounds();
        level_set.covered.keep(grid, false, rows);
        Ok(level_set)
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        self.formula.text()
    }

    /// Low and high corner of the box that holds it, as far as it lies in the grid; endless along what the formula
    /// does not depend on.
    pub(super) fn bounds(&self) -> [[f64; 3]; 2] {
        self.bounds
    }

    /// Whether it depends on x, y or z, by its number.
    pub(super) fn varies_along(&self, direction: usize) -> bool {
        self.formula.varies_along(direction)
    }

    /// Below zero inside; what is no number lies outside.
    pub(super) fn value(&self, point: [f64; 3]) -> f64 {
        let value = self.formula.value(point, 0.0);
        if value.is_nan() { f64::INFINITY } else { value }
    }

    /// Whether it is the same a length further on in a direction, at points of the grid's low face there.
    pub(crate) fn repeats(&self, grid: &Grid, direction: usize) -> bool {
        let axis = &grid.axes[direction];
        let ends = |mut point: [f64; 3]| {
            [axis.low(), axis.high()].map(|end| {
                point[direction] = end;
                self.value(point)
            })
        };
        grid.sampled_centres(SIZED_BY).map(ends).all(|[low, high]| {
            low == high || (low - high).abs() <= self.small || low.min(high) > self.small
        })
    }

    /// Distance of a point from the surface, negative inside: near it to rounding, far from it about.
    pub(super) fn distance(&self, point: [f64; 3]) -> f64 {
        let value = self.value(point);
        if value == 0.0 {
            return 0.0;
        }
        let distance = self.nearest(point, value).unwrap_or(f64::INFINITY);
        distance.copysign(value)
    }

    /// How far the nearest zero is: Newton's steps along the slope, and along the surface to where the slope points at
    /// the point. Where they lead nowhere, what the slope at the point tells.
    fn nearest(&self, point: [f64; 3], value: f64) -> Option<f64> {
        let (mut at, mut value) = (point, value);
        let mut first = None;
        for _ in 0..NEWTON.0 {
            let slope = self.slope(at);
            let square = dot(slope, slope);
            if !(square > 0.0 && square.is_finite() && value.is_finite()) {
                return first;
            }
            first = first.or(Some(value.abs() / square.sqrt()));
            let back: [f64; 3] = std::array::from_fn(|d| point[d] - at[d]);
            let along = dot(back, slope) / square;
            let mut step: [f64; 3] =
                std::array::from_fn(|d| back[d] - (along + value / square) * slope[d]);
            let size = dot(step, step).sqrt();
            // No further than a few cells at once: a formula may bend.
            let limit = (4.0 * self.length / size).min(1.0);
            step.iter_mut().for_each(|x| *x *= limit);
            at = std::array::from_fn(|d| at[d] + step[d]);
            value = self.value(at);
            if size <= NEWTON.1 * self.length {
                break;
            }
        }
        let way: [f64; 3] = std::array::from_fn(|d| at[d] - point[d]);
        let slope = self.slope(at);
        let left = value.abs() / dot(slope, slope).sqrt();
        // Not at the surface yet: the point is far from it, or the surface has an edge there.
        if left <= DIFFERENCE * self.length { Some(dot(way, way).sqrt()) } else { first }
    }

    fn slope(&self, point: [f64; 3]) -> [f64; 3] {
        let step = DIFFERENCE * self.length;
        std::array::from_fn(|d| {
            if !self.varies_along(d) {
                return 0.0;
            }
            let [mut low, mut high] = [point; 2];
            low[d] -= step;
            high[d] += step;
            (self.value(high) - self.value(low)) / (2.0 * step)
        })
    }

    /// Where a straight line first meets the surface, as a share of its length.
    pub(super) fn crossing(&self, from: [f64; 3], to: [f64; 3]) -> Option<f64> {
        let line: [f64; 3] = std::array::from_fn(|d| to[d] - from[d]);
        let cells = (dot(line, line).sqrt() / self.length).ceil();
        let samples = (SAMPLES.0 * cells).clamp(SAMPLES.0, SAMPLES.1 as f64);
        let at = |share: f64| self.value(std::array::from_fn(|d| from[d] + share * line[d]));
        let begins = at(0.0);
        if begins == 0.0 {
            return Some(0.0);
        }
        let is_inside = begins < 0.0;
        let changes = |share: f64| (at(share) < 0.0) != is_inside;
        let share = |n: usize| n as f64 / samples;
        let first = (1..=samples as usize).find(|&n| changes(share(n)))?;
        let [mut before, mut behind] = [share(first - 1), share(first)];
        for _ in 0..HALVINGS {
            let middle = 0.5 * (before + behind);
            if changes(middle) {
                behind = middle;
            } else {
                before = middle;
            }
        }
        Some(0.5 * (before + behind))
    }

    /// The cells of a grid's block that it covers, or all others if it is hollow.
    pub(crate) fn rows(&self, grid: &Grid, within: &Block, hollow: bool) -> Arc<CoveredRows> {
        self.covered.get(grid, hollow, || self.rows_of(grid, within, hollow))
    }

    fn rows_of(&self, grid: &Grid, within: &Block, hollow: bool) -> CoveredRows {
        let margin = margin(grid);
        let covers = |cell: [usize; 3]| {
            let point = grid.centre(cell.map(|i| i as isize));
            let value = self.value(point);
            let outside = if hollow { -value } else { value };
            outside <= 0.0 || outside <= self.small && self.distance(point).abs() <= margin
        };
        CoveredRows::new(within, |j, k| ranges_where(within[0].clone(), |i| covers([i, j, k])))
    }
}

type Block = [Range<usize>; 3];

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|d| a[d] * b[d]).sum()
}

#[cfg(test)]
mod tests;
