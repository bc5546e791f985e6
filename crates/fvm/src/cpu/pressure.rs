//! Solution of the pressure correction.

use std::rc::Rc;

use vortice_core::Result;
use vortice_linear::{Domain, Host, Multigrid, Space, Symmetric};

use super::Cpu;
use crate::gradients::{Gradients, preconditioner};
use crate::options::{Pressure, Stop};
use crate::ranks::Exchange;
use crate::settings::SMOOTHING;

/// Iterations between looks, which cost nothing here.
pub(super) const LOOK_EVERY: usize = 1;

/// The equation of the pressure correction and what solves it.
pub(super) struct Correction {
    space: Host<Rc<Exchange>, Symmetric<Rc<Exchange>>>,
    /// Conjugate gradients and their right-hand side, if they are asked for.
    gradients: Option<(Gradients<Vec<f64>>, Vec<f64>)>,
}

impl Correction {
    pub(super) fn new(grids: Multigrid<Rc<Exchange>>, how: Pressure) -> Result<Self> {
        let domain = Domain::of(&grids);
        let mut space = Host::new(domain, Symmetric::new(grids, preconditioner(how)));
        let gradients = match Gradients::new(&mut space, how)? {
            Some(solver) => Some((solver, space.zeros()?)),
            None => None,
        };
        Ok(Self { space, gradients })
    }

    pub(super) fn grids(&self) -> &Multigrid<Rc<Exchange>> {
        self.space.operator.grids()
    }

    pub(super) fn grids_mut(&mut self) -> &mut Multigrid<Rc<Exchange>> {
        self.space.operator.grids_mut()
    }

    /// Everything that follows from the coefficients.
    pub(super) fn prepare(&mut self) -> Result<()> {
        match &self.gradients {
            Some(_) => self.space.operator.prepare(),
            None => self.grids_mut().prepare(),
        }
    }

    fn cycles(&mut self, cycles: u32) -> Result<u64> {
        (0..cycles).try_for_each(|_| self.grids_mut().cycle(SMOOTHING))?;
        Ok(cycles.into())
    }

    fn gradients(&mut self, stop: Stop) -> Result<u64> {
        let Some((solver, b)) = &mut self.gradients else { return Ok(0) };
        let finest = self.space.operator.grids_mut().finest_mut();
        b.copy_from_slice(finest.b);
        let mut x = std::mem::take(finest.x);
        let outcome = solver.solve(&mut self.space, b, &mut x, &stop.looked_at_every(LOOK_EVERY));
        let domain = self.space.domain();
        domain.fill_halo(&mut x)?;
        *self.space.operator.grids_mut().finest_mut().x = x;
        Ok(outcome?.iterations as u64)
    }
}

impl Cpu {
    /// Solves the pressure correction; returns inner iterations.
    pub(super) fn solve_correction(&mut self, how: Pressure) -> Result<u64> {
        match how {
            Pressure::Cycles(cycles) => self.correction.cycles(cycles),
            Pressure::MultigridCg(stop) | Pressure::JacobiCg(stop) | Pressure::Cg(stop) => {
                self.correction.gradients(stop)
            }
        }
    }
}
