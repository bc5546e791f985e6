//! The operator of the multigrid's finest level, for conjugate gradients.

use vortice_core::Result;

use super::domain::Domain;
use super::host::Operator;
use super::multigrid::Multigrid;
use super::rows::{self, Sides};
use crate::cycle::Smoothing;
use crate::space::Preconditioner;
use crate::stencil;

/// A x = sum over faces of c (x - x_neighbour), with the coefficients of a multigrid.
pub struct Symmetric {
    grids: Multigrid,
    preconditioner: Preconditioner,
    constants: Option<Vec<f64>>,
}

impl Symmetric {
    /// The operator of a multigrid; [`Self::prepare`] must follow.
    pub fn new(grids: Multigrid, preconditioner: Preconditioner) -> Self {
        Self { grids, preconditioner, constants: None }
    }

    /// To change the coefficients; then [`Self::prepare`] must follow.
    pub fn grids_mut(&mut self) -> &mut Multigrid {
        &mut self.grids
    }

    /// The multigrid.
    pub fn grids(&self) -> &Multigrid {
        &self.grids
    }

    /// Computes everything that follows from the coefficients.
    pub fn prepare(&mut self) -> Result<()> {
        self.grids.prepare()?;
        let some = |inverse: &f64| f64::from(u8::from(*inverse != 0.0));
        let singular = self.grids.is_singular();
        self.constants = singular.then(|| self.grids.inverse(0).iter().map(some).collect());
        Ok(())
    }
}

impl Operator for Symmetric {
    fn apply(&mut self, domain: &Domain, x: &mut Vec<f64>, y: &mut Vec<f64>) -> Result<()> {
        domain.fill_halo(x)?;
        let (shape, directions) = (domain.level.shape, domain.level.directions);
        let c = self.grids.coefficients(0);
        domain.pool.each_row(
            &domain.own(),
            [y],
            #[inline(always)]
            |row, [y]| {
                let n = y.len();
                let c = Sides::faces(c, &shape, directions, row.place, n);
                let around = Sides::cells(x, &shape, directions, row.place, n);
                let x = row.part(x, n);
                rows::from_sums_and_diagonals(
                    &c,
                    &around,
                    directions,
                    y,
                    #[inline(always)]
                    |i, sum, diagonal| stencil::product(diagonal, x[i], sum),
                );
            },
        );
        Ok(())
    }

    fn precondition(&mut self, domain: &Domain, r: &[f64], z: &mut Vec<f64>) -> Result<()> {
        match self.preconditioner {
            Preconditioner::None => domain.copy(r, z),
            Preconditioner::Jacobi => domain.multiply(self.grids.inverse(0), r, z),
            Preconditioner::Multigrid(sweeps) => {
                self.grids.precondition(Smoothing { pre: sweeps, post: sweeps }, r, z)?;
            }
        }
        Ok(())
    }

    fn constants(&self) -> Option<&[f64]> {
        self.constants.as_deref()
    }
}
