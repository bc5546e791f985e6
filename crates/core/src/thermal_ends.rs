//! What holds for scalars at the ends of the box, as values beyond them: the same for all methods of
//! differences and volumes. Equations: docs/src/theory/heat.md.

use crate::boundary::Side;
use crate::case::Case;
use crate::decomposition::Subdomain;
use crate::each_cell::each_cell;
use crate::field::Shape;
use crate::real::Real;
use crate::scalar::{Scalar, ScalarBoundary};

/// Values of a scalar beyond the ends of the box that a subdomain has, in two layers; eq. (H9).
#[derive(Clone, Debug)]
pub struct ThermalEnds<T>(Vec<(usize, Side, ThermalEnd<T>)>);

/// How they are made of the first one inside.
#[derive(Clone, Copy, Debug)]
pub enum ThermalEnd<T> {
    /// Relative to the reference.
    Fixed(T),
    /// With the difference that a flux makes over a cell.
    Flux(T),
}

impl<T: Real> ThermalEnd<T> {
    /// The values of the first and the second layer beyond the value of a cell; twin of `beyond_end` in
    /// `kernels/thermal_ends.cuh`.
    #[inline]
    fn beyond(self, inside: T) -> [T; 2] {
        let two = T::from_f64(2.0);
        match self {
            Self::Fixed(fixed) => {
                let beyond = two * fixed - inside;
                [beyond, two * beyond - inside]
            }
            Self::Flux(difference) => [inside + difference; 2],
        }
    }
}

impl<T: Real> ThermalEnds<T> {
    /// Those of a scalar of a case, by its values relative to the reference.
    pub fn new((case, scalar): (&Case, &Scalar), part: &Subdomain) -> Self {
        let spacing = case.grid.spacing();
        let here = scalar.iter().filter(|&(d, side, _)| {
            case.grid.directions().contains(&d) && part.neighbours[d][side as usize].is_none()
        });
        let ends = here.filter_map(|(d, side, face)| {
            let end = match face {
                ScalarBoundary::Periodic => return None,
                ScalarBoundary::Value(value) => {
                    ThermalEnd::Fixed(T::from_f64(value - scalar.reference))
                }
                ScalarBoundary::Flux(flux) => {
                    ThermalEnd::Flux(T::from_f64(flux * spacing[d] / scalar.diffusivity))
                }
                ScalarBoundary::Outflow => ThermalEnd::Flux(T::default()),
            };
            Some((d, side, end))
        });
        Self(ends.collect())
    }

    /// Each end with its direction and side.
    pub fn iter(&self) -> impl Iterator<Item = &(usize, Side, ThermalEnd<T>)> {
        self.0.iter()
    }

    /// Writes them into an array of this shape, whose halo has two layers at least.
    pub fn fill(&self, theta: &mut [T], shape: &Shape) {
        for (d, side, end) in &self.0 {
            let (outward, stride) = (side.outward(), shape.strides()[*d] as isize * side.outward());
            let first = if outward < 0 { 0 } else { shape.cells[*d] as isize - 1 };
            let range = |e: usize| if e == *d { first..first + 1 } else { shape.own(e) };
            for cell in each_cell([range(0), range(1), range(2)]) {
                let place = shape.index(cell);
                let [beyond, next] = end.beyond(theta[place]);
                theta[place.wrapping_add_signed(stride)] = beyond;
                theta[place.wrapping_add_signed(2 * stride)] = next;
            }
        }
    }
}
