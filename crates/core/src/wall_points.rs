//! Where lines of the grid meet solid boxes and bodies.

use crate::body::Walls;
use crate::boundary::Side;
use crate::case::Case;
use crate::each_cell::each_cell_of_grid;
use crate::surface::Surfaces;
use crate::thermal_walls::wall_beside;
use crate::wetted::Surface;

/// A point of a surface on the line from the centre of a cell of the flow to the one before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallPoint {
    /// The cell, of the whole grid.
    pub cell: [isize; 3],
    /// The direction of the line,
    pub direction: usize,
    /// and on which side of the cell the point is.
    pub side: Side,
    /// Distance from the centre of the cell in spacings: 1/2 but for exact walls.
    pub share: f64,
    /// The point, in m.
    pub place: [f64; 3],
}

impl Surface {
    /// Where the lines between neighbouring cells meet a solid box or a body; none of a face of the box.
    pub fn wall_points(self, case: &Case) -> Vec<WallPoint> {
        let surfaces = Surfaces::new(case);
        let (solids, spacing) = (case.solids(), case.grid.spacing());
        let number = match self {
            Self::Solid(number) => number,
            Self::Body(number) => case.solid.len() + number,
            Self::Face(..) => return Vec::new(),
        };
        let Some(block) = solids.blocks().nth(number) else { return Vec::new() };
        let around = |d: usize| {
            let n = case.grid.cells()[d];
            block[d].start.saturating_sub(1)..(block[d].end + 1).min(n)
        };
        let mut points = Vec::new();
        let cells = each_cell_of_grid(&[around(0), around(1), around(2)]);
        for cell in cells.filter(|&cell| surfaces.flows(cell)) {
            for (direction, side) in
                case.grid.directions().flat_map(|d| Side::BOTH.map(|side| (d, side)))
            {
                let wall = wall_beside(&surfaces, cell, direction, side);
                let Some(wall) = wall.filter(|wall| wall.surface == Some(self)) else { continue };
                let share = wall.share;
                let mut place = case.grid.centre(cell);
                place[direction] += side.outward() as f64 * share * spacing[direction];
                points.push(WallPoint { cell, direction, side, share, place });
            }
        }
        points
    }

    /// Unit normal into the flow of an exact wall at a place (m); none of stairs, which have those of their faces.
    pub fn exact_normal(self, case: &Case, place: [f64; 3]) -> Option<[f64; 3]> {
        match self {
            Self::Body(number) if case.bodies[number].walls == Walls::Exact => {
                let smallest = case.grid.spacing().into_iter().fold(f64::INFINITY, f64::min);
                Some(case.bodies[number].normal(place, smallest))
            }
            _ => None,
        }
    }

    /// The part of a wall that a face across a direction stands for, as a share of the wall seen along it: the component
    /// of an exact wall's normal at a place (m), without its sign; 1 in stairs.
    pub(crate) fn seen_along(self, case: &Case, d: usize, place: [f64; 3]) -> f64 {
        self.exact_normal(case, place).map_or(1.0, |normal| normal[d].abs())
    }
}
