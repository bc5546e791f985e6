//! The shapes that there are, and what each answers.

use std::ops::Range;
use std::sync::Arc;

use super::covered::CoveredRows;
use super::level_set::LevelSet;
use super::mesh::Mesh;
use super::polygon::Polygon;
use super::{round, straight};
use crate::grid::Grid;

/// The surface of a body, in m.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// An endless cylinder along an axis; a circle in a plane flow.
    Cylinder {
        /// Direction of its axis.
        along: usize,
        /// A point of its axis.
        centre: [f64; 3],
        /// Half its diameter.
        radius: f64,
    },
    /// A sphere.
    Sphere {
        /// Its middle.
        centre: [f64; 3],
        /// Half its diameter.
        radius: f64,
    },
    /// A box with its edges along the axes.
    Box {
        /// Low corner.
        low: [f64; 3],
        /// High corner.
        high: [f64; 3],
    },
    /// A prism along z without ends.
    Polygon(Polygon),
    /// All points where a condition holds.
    LevelSet(LevelSet),
    /// What a closed surface of triangles encloses.
    Mesh(Arc<Mesh>),
}

impl Geometry {
    /// Distance of a point from the surface, negative inside.
    pub fn distance(&self, point: [f64; 3]) -> f64 {
        match self {
            Self::Cylinder { along, centre, radius } => {
                round::distance(across(point, *along), across(*centre, *along), *radius)
            }
            Self::Sphere { centre, radius } => round::distance(point, *centre, *radius),
            Self::Box { low, high } => straight::distance(point, *low, *high),
            Self::Polygon(polygon) => polygon.distance([point[0], point[1]]),
            Self::LevelSet(level_set) => level_set.distance(point),
            Self::Mesh(mesh) => mesh.distance(point),
        }
    }

    /// Where a straight line first meets the surface, as a share of its length.
    pub fn crossing(&self, from: [f64; 3], to: [f64; 3]) -> Option<f64> {
        match self {
            Self::Cylinder { along, centre, radius } => {
                let [from, to, centre] = [from, to, *centre].map(|point| across(point, *along));
                round::crossing(from, to, centre, *radius)
            }
            Self::Sphere { centre, radius } => round::crossing(from, to, *centre, *radius),
            Self::Box { low, high } => straight::crossing(from, to, *low, *high),
            Self::Polygon(polygon) => polygon.crossing([from[0], from[1]], [to[0], to[1]]),
            Self::LevelSet(level_set) => level_set.crossing(from, to),
            Self::Mesh(mesh) => mesh.crossing(from, to),
        }
    }

    /// Low and high corner of the box that holds it, endless where it is.
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        let around =
            |centre: [f64; 3], radius: f64| [-1.0, 1.0].map(|s| centre.map(|x| x + s * radius));
        match self {
            Self::Cylinder { along, centre, radius } => {
                let [mut low, mut high] = around(*centre, *radius);
                (low[*along], high[*along]) = (f64::NEG_INFINITY, f64::INFINITY);
                [low, high]
            }
            Self::Sphere { centre, radius } => around(*centre, *radius),
            Self::Box { low, high } => [*low, *high],
            Self::Polygon(polygon) => {
                let [low, high] = polygon.bounds();
                [[low[0], low[1], f64::NEG_INFINITY], [high[0], high[1], f64::INFINITY]]
            }
            Self::LevelSet(level_set) => level_set.bounds(),
            Self::Mesh(mesh) => mesh.bounds(),
        }
    }

    /// Whether it stays in place when it turns about the line along z through its middle.
    pub fn can_rotate(&self) -> bool {
        match self {
            Self::Cylinder { along, .. } => *along == 2,
            Self::Sphere { .. } => true,
            Self::Box { .. } | Self::Polygon(_) | Self::LevelSet(_) | Self::Mesh(_) => false,
        }
    }

    /// The cells of a grid's block that it covers, or all others if it is hollow, where they are not found by distances.
    pub(crate) fn covered_rows(
        &self,
        grid: &Grid,
        within: &[Range<usize>; 3],
        hollow: bool,
    ) -> Option<Arc<CoveredRows>> {
        match self {
            Self::LevelSet(level_set) => Some(level_set.rows(grid, within, hollow)),
            Self::Mesh(mesh) => Some(mesh.rows(grid, within, hollow)),
            _ => None,
        }
    }

    /// The middle of the box that holds it, zero where that is endless.
    pub(crate) fn middle(&self) -> [f64; 3] {
        let [low, high] = self.bounds();
        std::array::from_fn(|d| if low[d].is_finite() { 0.5 * (low[d] + high[d]) } else { 0.0 })
    }

    /// The largest distance of the surface from the line along z through its middle, if it can turn about that.
    pub(super) fn reach(&self) -> f64 {
        let [low, high] = self.bounds();
        0.5 * (high[0] - low[0])
    }
}

/// A point's coordinates across a direction.
fn across(point: [f64; 3], along: usize) -> [f64; 2] {
    [point[(along + 1) % 3], point[(along + 2) % 3]]
}
