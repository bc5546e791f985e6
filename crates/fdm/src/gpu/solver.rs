//! The pressure by multigrid or conjugate gradients instead of SOR.

use std::convert::Infallible;

use vortice_core::{Case, Context, Result, Shape};
use vortice_gpu::{Gpu, Recorder};
use vortice_linear::gpu::{PressureEquation, PressureGradients, Verb};
use vortice_linear::{Levels, PressureSolver};

use crate::multigrid;
use crate::settings::Settings;

/// Verbs that are done together: all between two looks.
const LONGEST: usize = 400;

/// The pressure equation and what solves it.
pub(crate) struct Solver {
    pub(super) equation: PressureEquation,
    gradients: Option<PressureGradients>,
    verbs: Recorder<Verb<Infallible>>,
}

impl Solver {
    /// What the settings ask for, unless that is SOR.
    pub(crate) fn new(
        gpu: &Gpu,
        case: &Case,
        context: &Context,
        settings: &Settings,
        shape: &Shape,
    ) -> Result<Option<Self>> {
        let Some(how) = settings.solver else { return Ok(None) };
        let cut = context.decomposition(case)?;
        let part = cut.subdomain(context.ranks.rank());
        let levels = Levels::new(&case.grid, &cut, part.rank, shape.halo)?;
        let mut equation = PressureEquation::new(gpu, context.ranks.clone(), &levels)?;
        let coefficients = multigrid::coefficients(case, &part, shape);
        for (d, c) in coefficients.iter().enumerate().take(settings.directions) {
            equation.grids.finest().c.write_at(d * c.len(), c)?;
        }
        equation.grids.prepare()?;
        let mut verbs = Recorder::new(LONGEST);
        let gradients = PressureGradients::new(&mut equation, &mut verbs, how)?;
        Ok(Some(Self { equation, gradients, verbs }))
    }

    /// Whether the host has no part in cycles.
    pub(super) fn stays_on_device(&self) -> bool {
        self.equation.stays_on_device()
    }

    pub(super) fn solve(&mut self, how: PressureSolver) -> Result<u64> {
        match (how, &mut self.gradients) {
            (PressureSolver::Cycles(count), _) => {
                self.equation.cycles(count, false)?;
                Ok(count.into())
            }
            (
                PressureSolver::MultigridCg(criterion)
                | PressureSolver::JacobiCg(criterion)
                | PressureSolver::Cg(criterion),
                Some(gradients),
            ) => gradients.solve(&mut self.equation, &mut self.verbs, criterion, false),
            _ => Ok(0),
        }
    }
}
