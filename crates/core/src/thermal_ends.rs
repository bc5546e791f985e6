//! What holds for scalars at the ends of the box, as values beyond them: the same for all methods of
//! differences and volumes. Equations: docs/src/theory/heat.md.

use std::sync::Arc;

use crate::boundary::Side;
use crate::case::Case;
use crate::decomposition::Subdomain;
use crate::each_cell::each_cell;
use crate::expression::Expression;
use crate::field::Shape;
use crate::real::Real;
use crate::scalar::{Scalar, ScalarBoundary};

/// Values of a scalar beyond the ends of the box that a subdomain has, in two layers; eq. (H9).
#[derive(Clone, Debug)]
pub struct ThermalEnds<T>(Vec<ThermalEnd<T>>);

/// How they are made of the first one inside.
#[derive(Clone, Debug)]
pub struct ThermalEnd<T> {
    /// The direction across the end.
    pub direction: usize,
    /// On which side it is.
    pub side: Side,
    /// Whether the value is given; else what passes is.
    pub is_fixed: bool,
    /// The value relative to the reference, or the difference that a flux makes over a cell: one for all cells, or those of
    /// each, x before y before z.
    pub values: Vec<T>,
    given: Option<Given>,
}

/// What a formula gives.
#[derive(Clone, Debug)]
struct Given {
    formula: Arc<Expression>,
    /// Centres of the cells' faces in m.
    points: Vec<[f64; 3]>,
    /// What values are relative to, and what they are multiplied by.
    reference: f64,
    factor: f64,
}

impl Given {
    fn at<T: Real>(&self, time: f64) -> Vec<T> {
        let value = |point: &[f64; 3]| self.formula.value(*point, time) - self.reference;
        self.points.iter().map(|point| T::from_f64(value(point) * self.factor)).collect()
    }
}

impl<T: Real> ThermalEnd<T> {
    /// The values of the first and the second layer beyond the value of a cell of this number; twin of `beyond_end` in
    /// `kernels/thermal_ends.cuh`.
    #[inline]
    fn beyond(&self, number: usize, inside: T) -> [T; 2] {
        let two = T::from_f64(2.0);
        let value = if self.values.len() == 1 { self.values[0] } else { self.values[number] };
        if self.is_fixed {
            let beyond = two * value - inside;
            [beyond, two * beyond - inside]
        } else {
            [inside + value; 2]
        }
    }
}

impl<T: Real> ThermalEnds<T> {
    /// Those of a scalar of a case at t = 0, by its values relative to the reference.
    pub fn new((case, scalar): (&Case, &Scalar), part: &Subdomain) -> Self {
        let spacing = case.grid.spacing();
        let here = scalar.iter().filter(|&(d, side, _)| {
            case.grid.directions().contains(&d) && part.neighbours[d][side as usize].is_none()
        });
        let ends = here.filter_map(|(direction, side, face)| {
            let factor = spacing[direction] / scalar.diffusivity;
            let (is_fixed, value) = match face {
                ScalarBoundary::Periodic => return None,
                ScalarBoundary::Value(value) => (true, value - scalar.reference),
                ScalarBoundary::Flux(flux) => {
                    (false, flux * spacing[direction] / scalar.diffusivity)
                }
                ScalarBoundary::Outflow => (false, 0.0),
            };
            let given = scalar.formula(direction, side).map(|formula| Given {
                formula: formula.clone(),
                points: points(case, part, direction, side),
                reference: if is_fixed { scalar.reference } else { 0.0 },
                factor: if is_fixed { 1.0 } else { factor },
            });
            let values = given.as_ref().map_or_else(|| vec![T::from_f64(value)], |one| one.at(0.0));
            Some(ThermalEnd { direction, side, is_fixed, values, given })
        });
        Self(ends.collect())
    }

    /// Each end.
    pub fn iter(&self) -> impl Iterator<Item = &ThermalEnd<T>> {
        self.0.iter()
    }

    /// Takes what is given at a time in s; whether anything changes with time.
    pub fn follow(&mut self, time: f64) -> bool {
        let mut any = false;
        for end in &mut self.0 {
            if let Some(given) = end.given.as_ref().filter(|given| given.formula.changes()) {
                end.values = given.at(time);
                any = true;
            }
        }
        any
    }

    /// Writes them into an array of this shape, whose halo has two layers at least.
    pub fn fill(&self, theta: &mut [T], shape: &Shape) {
        for end in &self.0 {
            let (d, side) = (end.direction, end.side);
            let (outward, stride) = (side.outward(), shape.strides()[d] as isize * side.outward());
            let first = if outward < 0 { 0 } else { shape.cells[d] as isize - 1 };
            let range = |e: usize| if e == d { first..first + 1 } else { shape.own(e) };
            for (number, cell) in each_cell([range(0), range(1), range(2)]).enumerate() {
                let place = shape.index(cell);
                let [beyond, next] = end.beyond(number, theta[place]);
                theta[place.wrapping_add_signed(stride)] = beyond;
                theta[place.wrapping_add_signed(2 * stride)] = next;
            }
        }
    }
}

/// The centres in m of the faces that own cells have at an end of the box.
fn points(case: &Case, part: &Subdomain, d: usize, side: Side) -> Vec<[f64; 3]> {
    let axis = &case.grid.axes[d];
    let at = if side == Side::Low { axis.low() } else { axis.high() };
    let range = |e: usize| if e == d { 0..1 } else { 0..part.n()[e] as isize };
    let cells = each_cell([range(0), range(1), range(2)]);
    let point = |cell| {
        let mut point = case.grid.centre(part.global(cell));
        point[d] = at;
        point
    };
    cells.map(point).collect()
}
