//! A pressure equation and what solves it.

use std::sync::Arc;

use vortice_core::{Communicator, Result, ThreadPool};

use super::domain::Domain;
use super::host::Host;
use super::multigrid::{Finest, Multigrid};
use super::symmetric::Symmetric;
use crate::cycle::Smoothing;
use crate::gradients::Gradients;
use crate::levels::Levels;
use crate::options::PressureSolver;
use crate::space::Space;

/// Iterations between looks, which cost nothing here.
const LOOK_EVERY: usize = 1;

/// A x = b, A x = sum over the faces of a cell of c (x - x_neighbour), with its solver.
pub struct PressureEquation {
    space: Host<Symmetric>,
    /// Conjugate gradients and their right-hand side, if they are asked for.
    gradients: Option<(Gradients<Vec<f64>>, Vec<f64>)>,
}

impl PressureEquation {
    /// An equation of zeros on levels that are cut among `ranks`.
    pub fn new(
        levels: Levels,
        ranks: Arc<dyn Communicator>,
        pool: Arc<ThreadPool>,
        how: PressureSolver,
    ) -> Result<Self> {
        let grids = Multigrid::new(levels, ranks, pool);
        let domain = Domain::of(&grids);
        let mut space = Host::new(domain, Symmetric::new(grids, how.preconditioner()));
        let gradients = match Gradients::new(&mut space, how)? {
            Some(solver) => Some((solver, space.zeros()?)),
            None => None,
        };
        Ok(Self { space, gradients })
    }

    /// Its cells.
    pub fn domain(&self) -> &Domain {
        self.space.domain()
    }

    /// Its levels.
    pub fn grids(&self) -> &Multigrid {
        self.space.operator.grids()
    }

    /// Coefficients, unknown and right-hand side; after a change of coefficients [`Self::prepare`] must
    /// follow.
    pub fn finest_mut(&mut self) -> Finest<'_> {
        self.space.operator.grids_mut().finest_mut()
    }

    /// Everything that follows from the coefficients.
    pub fn prepare(&mut self) -> Result<()> {
        match &self.gradients {
            Some(_) => self.space.operator.prepare(),
            None => self.space.operator.grids_mut().prepare(),
        }
    }

    /// Solves it from the unknown that is given, whose halo is filled in the end; returns iterations.
    /// Conjugate gradients are those that it was made with.
    pub fn solve(&mut self, how: PressureSolver) -> Result<u64> {
        match how {
            PressureSolver::Cycles(cycles) => {
                let grids = self.space.operator.grids_mut();
                (0..cycles).try_for_each(|_| grids.cycle(Smoothing::USUAL))?;
                Ok(cycles.into())
            }
            PressureSolver::MultigridCg(criterion)
            | PressureSolver::JacobiCg(criterion)
            | PressureSolver::Cg(criterion) => {
                let Some((solver, b)) = &mut self.gradients else { return Ok(0) };
                let finest = self.space.operator.grids_mut().finest_mut();
                b.copy_from_slice(finest.b);
                let mut x = std::mem::take(finest.x);
                let outcome = solver.solve(&mut self.space, b, &mut x, criterion, LOOK_EVERY);
                self.space.domain().fill_halo(&mut x)?;
                *self.finest_mut().x = x;
                Ok(outcome?.iterations as u64)
            }
        }
    }
}
