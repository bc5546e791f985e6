//! A seven-point operator that is not symmetric, such as that of momentum.

use vortice_core::Result;

use super::domain::Domain;
use super::host::Operator;
use super::rows::{self, Sides};
use crate::stencil;

/// A x = diagonal x - sum of a x_neighbour, in arrays with the shape of the domain.
#[derive(Clone, Debug, PartialEq)]
pub struct Coefficients {
    /// Of the neighbours: west, east, south, north, bottom, top; the last two are empty if the
    /// problem is plane. 0 at the ends of the box, except periodic ones.
    pub a: [Vec<f64>; 6],
    /// Of the cells themselves; 0 in cells without an equation, which have no right-hand side.
    pub diagonal: Vec<f64>,
}

/// The operator, with its inverse diagonal for preconditioner.
#[derive(Clone, Debug, PartialEq)]
pub struct General {
    coefficients: Coefficients,
    inverse: Vec<f64>,
}

impl General {
    /// An operator of zeros.
    pub fn new(domain: &Domain) -> Self {
        let zeros = || vec![0.0; domain.level.shape.len()];
        let a =
            std::array::from_fn(
                |side| {
                    if side < 2 * domain.level.directions { zeros() } else { vec![] }
                },
            );
        Self { coefficients: Coefficients { a, diagonal: zeros() }, inverse: zeros() }
    }

    /// To change the coefficients; then [`Self::prepare`] must follow.
    pub fn coefficients_mut(&mut self) -> &mut Coefficients {
        &mut self.coefficients
    }

    /// The coefficients.
    pub fn coefficients(&self) -> &Coefficients {
        &self.coefficients
    }

    /// Computes the inverse diagonal.
    pub fn prepare(&mut self, domain: &Domain) {
        domain.invert(&self.coefficients.diagonal, &mut self.inverse);
    }
}

impl Operator for General {
    fn apply(&mut self, domain: &Domain, x: &mut Vec<f64>, y: &mut Vec<f64>) -> Result<()> {
        domain.fill_halo(x)?;
        let (shape, directions) = (domain.level.shape, domain.level.directions);
        let Coefficients { a, diagonal } = &self.coefficients;
        domain.pool.each_row(
            &domain.own(),
            [y],
            #[inline(always)]
            |row, [y]| {
                let n = y.len();
                let a = Sides::own(a, directions, row.place, n);
                let around = Sides::cells(x, &shape, directions, row.place, n);
                let (x, diagonal) = (row.part(x, n), row.part(diagonal, n));
                rows::from_sums(
                    &a,
                    &around,
                    directions,
                    y,
                    #[inline(always)]
                    |i, sum| stencil::product(diagonal[i], x[i], sum),
                );
            },
        );
        Ok(())
    }

    fn precondition(&mut self, domain: &Domain, r: &[f64], z: &mut Vec<f64>) -> Result<()> {
        domain.multiply(&self.inverse, r, z);
        Ok(())
    }

    fn constants(&self) -> Option<&[f64]> {
        None
    }
}
