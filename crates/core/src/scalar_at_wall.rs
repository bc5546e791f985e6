//! What holds for a scalar at walls of bodies and solid boxes, seen from the cells beside them.

use crate::boundary::Side;
use crate::case::Case;
use crate::scalar::{Scalar, ScalarBoundary};
use crate::wetted::Surface;

/// A step for differences of formulas, as a share of a spacing.
const DIFFERENCE: f64 = 1e-3;

impl Scalar {
    /// What holds beside a cell of the whole grid at a wall of a body or a solid box, so many spacings away across a direction:
    /// of a flux what enters through the face of the cell, which stands for the part of an exact wall that is seen along it;
    /// eq. (H23).
    pub fn at_wall(
        &self,
        case: &Case,
        surface: Option<Surface>,
        (cell, direction, side): ([isize; 3], usize, Side),
        share: f64,
    ) -> ScalarBoundary {
        let at = self.on(surface);
        let Some(surface) = surface else { return at };
        let mut point = case.grid.centre(cell);
        point[direction] += side.outward() as f64 * share * case.grid.spacing()[direction];
        let at = self.formula_on(surface).map_or(at, |given| at.with(given.value(point, 0.0)));
        match at {
            ScalarBoundary::Flux(flux) if flux != 0.0 => {
                ScalarBoundary::Flux(flux * surface.seen_along(case, direction, point))
            }
            at => at,
        }
    }

    /// How what is given on a surface changes along it at a place (m) with this unit normal, in its unit over m: nothing but by
    /// formula.
    pub fn slope_on(
        &self,
        case: &Case,
        surface: Surface,
        place: [f64; 3],
        normal: [f64; 3],
    ) -> [f64; 3] {
        let Some(formula) = self.formula_on(surface) else { return [0.0; 3] };
        let slope: [f64; 3] = std::array::from_fn(|d| {
            let step = DIFFERENCE * case.grid.spacing()[d];
            let at = |by: f64| {
                let mut there = place;
                there[d] += by;
                formula.value(there, 0.0)
            };
            (at(step) - at(-step)) / (2.0 * step)
        });
        let across: f64 = (0..3).map(|d| slope[d] * normal[d]).sum();
        std::array::from_fn(|d| slope[d] - across * normal[d])
    }
}
