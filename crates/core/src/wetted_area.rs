//! How large the surfaces are that heat passes.

use crate::body::{Geometry, Walls};
use crate::case::Case;
use crate::wall_points::WallPoint;
use crate::wetted::Surface;

impl Surface {
    /// Area in m2 of a body or a solid box that the flow wets, of a plane flow the length in m: of a circle, a cylinder or a
    /// sphere that lies in the box all of it; else its stairs, each face as large as the part of an exact wall that it
    /// stands for: its share is the square of the normal's component across it.
    pub fn wetted_area(self, case: &Case) -> f64 {
        match self {
            Self::Body(number) if case.bodies[number].walls == Walls::Exact => {
                round_area(case, number).unwrap_or_else(|| self.area_of_stairs(case))
            }
            _ => self.area_of_stairs(case),
        }
    }

    fn area_of_stairs(self, case: &Case) -> f64 {
        let spacing = case.grid.spacing();
        let of = |point: WallPoint| {
            let across = case.grid.directions().filter(|&d| d != point.direction);
            let face: f64 = across.map(|d| spacing[d]).product();
            face * self.seen_along(case, point.direction, point.place)
        };
        self.wall_points(case).into_iter().map(of).sum()
    }
}

/// Of a round body that lies in the box.
fn round_area(case: &Case, number: usize) -> Option<f64> {
    let geometry = &case.bodies[number].geometry;
    let [low, high] = geometry.bounds();
    let axes = &case.grid.axes;
    let is_inside = |d: usize| low[d] >= axes[d].low() && high[d] <= axes[d].high();
    match *geometry {
        Geometry::Cylinder { along, radius, .. } if (0..3).all(|d| d == along || is_inside(d)) => {
            let length = if case.grid.is_plane() { 1.0 } else { axes[along].length() };
            Some(2.0 * std::f64::consts::PI * radius * length)
        }
        Geometry::Sphere { radius, .. } if (0..3).all(is_inside) => {
            Some(4.0 * std::f64::consts::PI * radius * radius)
        }
        _ => None,
    }
}
