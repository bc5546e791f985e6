//! The operator of the multigrid's finest level, for conjugate gradients.

use crate::cycle::Smoothing;
use crate::domain::Domain;
use crate::host::Operator;
use crate::multigrid::Multigrid;
use crate::ranks::Ranks;
use crate::rows::{self, Sides};
use crate::stencil;

/// What stands for the inverse of the matrix. All of them are symmetric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preconditioner {
    /// Nothing.
    None,
    /// The inverse diagonal.
    Jacobi,
    /// One V-cycle with so many sweeps before and after the coarse correction.
    Multigrid(usize),
}

/// A x = sum over faces of c (x - x_neighbour), with the coefficients of a multigrid.
#[derive(Debug)]
pub struct Symmetric<R> {
    grids: Multigrid<R>,
    preconditioner: Preconditioner,
    constants: Option<Vec<f64>>,
}

impl<R: Ranks> Symmetric<R> {
    /// The operator of a multigrid; [`Self::prepare`] must follow.
    pub fn new(grids: Multigrid<R>, preconditioner: Preconditioner) -> Self {
        Self { grids, preconditioner, constants: None }
    }

    /// To change the coefficients; then [`Self::prepare`] must follow.
    pub fn grids_mut(&mut self) -> &mut Multigrid<R> {
        &mut self.grids
    }

    /// The multigrid.
    pub fn grids(&self) -> &Multigrid<R> {
        &self.grids
    }

    /// Computes everything that follows from the coefficients.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub fn prepare(&mut self) -> Result<(), R::Error> {
        self.grids.prepare()?;
        let some = |inverse: &f64| f64::from(u8::from(*inverse != 0.0));
        let singular = self.grids.is_singular();
        self.constants = singular.then(|| self.grids.inverse(0).iter().map(some).collect());
        Ok(())
    }
}

impl<R: Ranks> Operator<R> for Symmetric<R> {
    fn apply(
        &mut self,
        domain: &Domain<R>,
        x: &mut Vec<f64>,
        y: &mut Vec<f64>,
    ) -> Result<(), R::Error> {
        domain.fill_halo(x)?;
        let (layout, directions) = (domain.level.layout, domain.level.directions);
        let c = self.grids.coefficients(0);
        domain.team.each_row(
            &domain.own(),
            [y],
            #[inline(always)]
            |row, [y]| {
                let n = y.len();
                let c = Sides::faces(c, &layout, directions, row.place, n);
                let around = Sides::cells(x, &layout, directions, row.place, n);
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

    fn precondition(
        &mut self,
        domain: &Domain<R>,
        r: &[f64],
        z: &mut Vec<f64>,
    ) -> Result<(), R::Error> {
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
