//! Which conjugate gradients solve the pressure correction, on every device and any number of ranks.

use vortice_linear::{Cg, Outcome, Preconditioner, SingleReductionCg, Space};

use crate::options::{Pressure, Stop};
use crate::settings::SMOOTHING;

/// What stands for the inverse of the pressure correction's matrix.
pub(crate) fn preconditioner(how: Pressure) -> Preconditioner {
    match how {
        Pressure::Cg(_) => Preconditioner::None,
        Pressure::JacobiCg(_) => Preconditioner::Jacobi,
        Pressure::MultigridCg(_) | Pressure::Cycles(_) => Preconditioner::Multigrid(SMOOTHING.pre),
    }
}

/// Conjugate gradients. The choice follows from the preconditioner alone: the bits of a run may not
/// depend on its ranks.
#[derive(Debug)]
pub(crate) enum Gradients<V> {
    /// After a multigrid cycle, beside which reductions are cheap.
    Plain(Cg<V>),
    /// With one reduction an iteration, which sees the end one preconditioning later: for iterations
    /// that are as cheap as reductions.
    SingleReduction(SingleReductionCg<V>),
}

impl<V> Gradients<V> {
    /// Those that are asked for, if any are.
    ///
    /// # Errors
    /// If there is no memory for their vectors on a device.
    pub(crate) fn new<S: Space<Vector = V>>(
        space: &mut S,
        how: Pressure,
    ) -> Result<Option<Self>, S::Error> {
        Ok(match how {
            Pressure::Cycles(_) => None,
            Pressure::MultigridCg(_) => Some(Self::Plain(Cg::new(space)?)),
            Pressure::JacobiCg(_) | Pressure::Cg(_) => {
                Some(Self::SingleReduction(SingleReductionCg::new(space)?))
            }
        })
    }

    /// Solves A x = b from the x that is given.
    ///
    /// # Errors
    /// If a rank has stopped or a device fails.
    pub(crate) fn solve<S: Space<Vector = V>>(
        &mut self,
        space: &mut S,
        b: &V,
        x: &mut V,
        stop: &vortice_linear::Stop,
    ) -> Result<Outcome, S::Error> {
        match self {
            Self::Plain(solver) => solver.solve(space, b, x, stop),
            Self::SingleReduction(solver) => solver.solve(space, b, x, stop),
        }
    }
}

impl Stop {
    /// The same in the words of the linear algebra.
    pub(crate) fn looked_at_every(self, look_every: usize) -> vortice_linear::Stop {
        let Self { retol, abstol, max } = self;
        vortice_linear::Stop { relative: retol, absolute: abstol, most: max as usize, look_every }
    }
}
