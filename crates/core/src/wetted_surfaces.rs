//! What the flow of a case pushes and pulls at: bodies, solid boxes and walls of the box.

use std::ops::Range;

use crate::boundary::{Side, face_name};
use crate::case::Case;
use crate::wetted::Surface;

impl Surface {
    /// Those of a case whose forces are followed in time: its bodies in their order, its solid boxes, and the faces of the
    /// box that are walls from end to end.
    pub fn wetted(case: &Case) -> Vec<Self> {
        let is_wall = |d: usize, side: Side| case.boundaries.at(d, side).is_wall();
        let faces = case.grid.directions().flat_map(|d| Side::BOTH.map(|side| (d, side)));
        let walls = faces.filter(|&(d, side)| is_wall(d, side));
        let bodies = (0..case.bodies.len()).map(Self::Body);
        let boxes = (0..case.solid.len()).map(Self::Solid);
        bodies.chain(boxes).chain(walls.map(|(d, side)| Self::Face(d, side))).collect()
    }

    /// `x-low` ... `z-high`, `solid 1`, counted from 1, or the name of the body.
    pub fn name(self, case: &Case) -> String {
        match self {
            Self::Face(direction, side) => face_name(direction, side).into(),
            Self::Solid(number) => format!("solid {}", number + 1),
            Self::Body(number) => case.bodies[number].name.clone(),
        }
    }

    /// Area in m2 that coefficients of its forces refer to, of a plane flow the width in m: what a body says, what a solid
    /// box shows to a flow along x, all of a face.
    pub fn area(self, case: &Case) -> f64 {
        let across = |d: usize, [low, high]: [[f64; 3]; 2]| {
            let extent = |e: usize| {
                let axis = &case.grid.axes[e];
                let length = high[e].min(axis.high()) - low[e].max(axis.low());
                if case.grid.directions().contains(&e) { length } else { 1.0 }
            };
            extent((d + 1) % 3) * extent((d + 2) % 3)
        };
        match self {
            Self::Face(d, _) => across(d, ends(case)),
            Self::Solid(number) => across(0, [case.solid[number].low, case.solid[number].high]),
            Self::Body(number) => case.bodies[number].area,
        }
    }

    /// The cells beyond a face of the box, of which there are none: a block of no width.
    pub(crate) fn beyond(self, case: &Case) -> Option<[Range<usize>; 3]> {
        let Self::Face(direction, side) = self else { return None };
        let mut block = case.grid.cells().map(|n| 0..n);
        let end = if side == Side::Low { 0 } else { block[direction].end };
        block[direction] = end..end;
        Some(block)
    }

    /// The point in m through which the line along z goes that its torque is about: its middle.
    pub fn middle(self, case: &Case) -> [f64; 3] {
        let between =
            |[low, high]: [[f64; 3]; 2]| std::array::from_fn(|d| 0.5 * (low[d] + high[d]));
        match self {
            Self::Face(direction, side) => {
                let mut middle: [f64; 3] = between(ends(case));
                middle[direction] = ends(case)[side as usize][direction];
                middle
            }
            Self::Solid(number) => between([case.solid[number].low, case.solid[number].high]),
            Self::Body(number) => case.bodies[number].geometry.middle(),
        }
    }
}

/// Low and high corner of the box in m.
fn ends(case: &Case) -> [[f64; 3]; 2] {
    let axes = &case.grid.axes;
    [axes.each_ref().map(|axis| axis.low()), axes.each_ref().map(|axis| axis.high())]
}
