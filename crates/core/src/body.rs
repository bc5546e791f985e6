//! Solid bodies of any shape: where their surface is, and how it moves.
//!
//! A body answers three questions, in closed form: how far a point is from it, where a line first meets it, and how
//! fast its surface moves there. All that methods need is made of the answers, the same on every rank.

mod covered;
mod extremes;
mod geometry;
mod level_set;
mod mesh;
mod polygon;
mod round;
mod straight;

pub(crate) use covered::{CoveredRows, margin};
pub use geometry::Geometry;
pub use level_set::LevelSet;
pub use mesh::{Mesh, MeshFacts, Placement};
pub use polygon::Polygon;

use crate::grid::Grid;

/// A solid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Its name in the case.
    pub name: String,
    /// Its surface.
    pub geometry: Geometry,
    /// Whether all outside of the shape is solid, and the flow inside of it.
    pub hollow: bool,
    /// Angular velocity in rad/s about the line along z through the middle of the shape, from x to y.
    pub rotation: f64,
    /// Where the flow feels its surface.
    pub walls: Walls,
    /// Area in m2 that coefficients of its forces refer to; of a plane flow the width in m.
    pub area: f64,
}

/// Where the flow feels the surface of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walls {
    /// At its place between the centres of cells: second order.
    Exact,
    /// On the faces of cells whose centres it covers: first order.
    Stairs,
}

impl Walls {
    /// Both, with their names in cases.
    pub const NAMES: [(&'static str, Self); 2] = [("exact", Self::Exact), ("stairs", Self::Stairs)];
}

/// A step for differences of the distance, as a share of the length over which it is asked for.
const DIFFERENCE: f64 = 1e-2;

impl Body {
    /// Distance in m of a point from the surface, positive in the flow.
    pub fn distance(&self, point: [f64; 3]) -> f64 {
        let distance = self.geometry.distance(point);
        if self.hollow { -distance } else { distance }
    }

    /// Where a straight line first meets the surface, as a share of its length; nothing if it does not.
    pub fn crossing(&self, from: [f64; 3], to: [f64; 3]) -> Option<f64> {
        self.geometry.crossing(from, to)
    }

    /// Distance from a point in the flow to the surface along a line to a point in the body, as a share of its length,
    /// at least `least`.
    pub fn wall_distance(&self, flow: [f64; 3], solid: [f64; 3], least: f64) -> f64 {
        let by_distances = || {
            let [outside, inside] = [flow, solid].map(|point| self.distance(point).abs());
            outside / (outside + inside)
        };
        // Where rounding hides the crossing of two distances of different sign, they tell where it is.
        self.crossing(flow, solid).unwrap_or_else(by_distances).clamp(least, 1.0)
    }

    /// Unit normal into the flow at a point near the surface; `length` in m is that of a cell.
    pub fn normal(&self, point: [f64; 3], length: f64) -> [f64; 3] {
        let step = DIFFERENCE * length;
        let slope: [f64; 3] = std::array::from_fn(|d| {
            let [mut low, mut high] = [point; 2];
            low[d] -= step;
            high[d] += step;
            self.distance(high) - self.distance(low)
        });
        let norm = slope.iter().map(|x| x * x).sum::<f64>().sqrt();
        slope.map(|x| if norm > 0.0 { x / norm } else { 0.0 })
    }

    /// Velocity in m/s of the surface at a point of it (m).
    pub fn velocity(&self, point: [f64; 3]) -> [f64; 3] {
        let middle = self.geometry.middle();
        [-self.rotation * (point[1] - middle[1]), self.rotation * (point[0] - middle[0]), 0.0]
    }

    /// Cells of a grid across it, where it is narrowest.
    pub fn cells_across(&self, grid: &Grid) -> f64 {
        let ([low, high], spacing) = (self.geometry.bounds(), grid.spacing());
        let across = grid.directions().map(|d| (high[d] - low[d]) / spacing[d]);
        across.fold(f64::INFINITY, f64::min)
    }

    /// The largest speed in m/s of its surface.
    pub fn speed(&self) -> f64 {
        self.rotation.abs() * self.geometry.reach()
    }
}

#[cfg(test)]
mod tests;
