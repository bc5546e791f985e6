//! The pressure by multigrid or conjugate gradients instead of SOR.

use std::convert::Infallible;

use vortice_core::{Case, Context, Real, Result, Shape};
use vortice_gpu::{Gpu, Recorder, value};
use vortice_linear::gpu::{PressureEquation, PressureGradients, Verb};
use vortice_linear::{Levels, PressureSolver};

use super::device::Device;
use super::fields::outputs;
use super::pressure::both_colours;
use crate::multigrid;
use crate::settings::Settings;

/// Verbs that are done together: all between two looks.
const LONGEST: usize = 400;

/// The pressure equation and what solves it.
pub(crate) struct Solver {
    equation: PressureEquation,
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

    fn solve(&mut self, how: PressureSolver) -> Result<u64> {
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

impl<T: Real> Device<T> {
    /// Solves the pressure equation from the pressure that there is; returns iterations.
    pub(crate) fn solve(&mut self, how: PressureSolver) -> Result<u64> {
        let Some(mut solver) = self.solver.take() else { return Ok(0) };
        let iterations = self.solve_with(&mut solver, how);
        self.solver = Some(solver);
        iterations
    }

    fn solve_with(&mut self, solver: &mut Solver, how: PressureSolver) -> Result<u64> {
        self.take_equation(&mut solver.equation)?;
        let iterations = solver.solve(how)?;
        self.put_pressure(&mut solver.equation)?;
        self.complete_pressure()?;
        Ok(iterations)
    }

    /// Pressure and right-hand side of both colours as unknown and right-hand side of the equation.
    fn take_equation(&mut self, equation: &mut PressureEquation) -> Result<()> {
        let Self { kernels, layout, fields, .. } = self;
        let finest = equation.grids.finest();
        let [red, black, b_red, b_black, kinds_red, kinds_black, inverse_diagonals] = both_colours(
            &fields.p,
            &fields.right_hand_side,
            &fields.kinds,
            &fields.inverse_diagonals,
        );
        kernels.take_equation.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                red,
                black,
                b_red,
                b_black,
                kinds_red,
                kinds_black,
                inverse_diagonals,
                finest.x.output("x"),
                finest.b.output("b"),
            ],
        )?;
        equation.fill_unknown()
    }

    /// The unknown of the equation as the pressure of both colours.
    fn put_pressure(&mut self, equation: &mut PressureEquation) -> Result<()> {
        let Self { kernels, layout, fields, .. } = self;
        let [red, black] = outputs(&mut fields.p, ["red", "black"]);
        let x = equation.grids.finest().x.input("x");
        kernels.put_pressure.launch(layout.each_cell(), &[value("layout", layout), x, red, black])
    }
}
