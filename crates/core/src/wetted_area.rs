//! How large the surfaces are that heat passes.

use crate::body::{Geometry, Walls};
use crate::boundary::Side;
use crate::case::Case;
use crate::each_cell::each_cell_of_grid;
use crate::surface::Surfaces;
use crate::thermal_walls::wall_beside;
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
        let surfaces = Surfaces::new(case);
        let (solids, spacing) = (case.solids(), case.grid.spacing());
        let number = match self {
            Self::Solid(number) => number,
            Self::Body(number) => case.solid.len() + number,
            Self::Face(..) => return 0.0,
        };
        let Some(block) = solids.blocks().nth(number) else { return 0.0 };
        let around = |d: usize| {
            let n = case.grid.cells()[d];
            block[d].start.saturating_sub(1)..(block[d].end + 1).min(n)
        };
        let cells = each_cell_of_grid(&[around(0), around(1), around(2)]);
        let mut area = 0.0;
        for cell in cells.filter(|&cell| surfaces.flows(cell)) {
            for (d, side) in case.grid.directions().flat_map(|d| Side::BOTH.map(|side| (d, side))) {
                let wall = wall_beside(&surfaces, cell, d, side);
                let Some(wall) = wall.filter(|wall| wall.surface == Some(self)) else { continue };
                let across = case.grid.directions().filter(|&e| e != d);
                let face: f64 = across.map(|e| spacing[e]).product();
                let mut place = case.grid.centre(cell);
                place[d] += side.outward() as f64 * wall.share * spacing[d];
                area += face * self.seen_along(case, d, place);
            }
        }
        area
    }

    /// The part of a wall that a face across a direction stands for, as a share of the wall seen along it: the component
    /// of an exact wall's normal at a place (m), without its sign; 1 in stairs.
    pub(crate) fn seen_along(self, case: &Case, d: usize, place: [f64; 3]) -> f64 {
        match self {
            Self::Body(number) if case.bodies[number].walls == Walls::Exact => {
                let smallest = case.grid.spacing().into_iter().fold(f64::INFINITY, f64::min);
                case.bodies[number].normal(place, smallest)[d].abs()
            }
            _ => 1.0,
        }
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
