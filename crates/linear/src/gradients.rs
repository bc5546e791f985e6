//! Which conjugate gradients solve a pressure equation, on every device and any number of ranks.

use vortice_core::Result;

use crate::cg::{Cg, SingleReductionCg};
use crate::options::{Criterion, PressureSolver};
use crate::space::{Outcome, Space};

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
    pub(crate) fn new<S: Space<Vector = V>>(
        space: &mut S,
        how: PressureSolver,
    ) -> Result<Option<Self>> {
        Ok(match how {
            PressureSolver::Cycles(_) => None,
            PressureSolver::MultigridCg(_) => Some(Self::Plain(Cg::new(space)?)),
            PressureSolver::JacobiCg(_) | PressureSolver::Cg(_) => {
                Some(Self::SingleReduction(SingleReductionCg::new(space)?))
            }
        })
    }

    /// Solves A x = b from the x that is given, with looks so many iterations apart.
    pub(crate) fn solve<S: Space<Vector = V>>(
        &mut self,
        space: &mut S,
        b: &V,
        x: &mut V,
        criterion: Criterion,
        look_every: usize,
    ) -> Result<Outcome> {
        let stop = criterion.looked_at_every(look_every);
        match self {
            Self::Plain(solver) => solver.solve(space, b, x, &stop),
            Self::SingleReduction(solver) => solver.solve(space, b, x, &stop),
        }
    }
}
