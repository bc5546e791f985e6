//! The pressure by multigrid or conjugate gradients instead of SOR.

use vortice_core::{Case, Context, Real, Region, Result, Shape, ThreadPool};
use vortice_linear::cpu::PressureEquation;
use vortice_linear::{Levels, PressureSolver};

use super::{Cpu, Split};
use crate::colours::Colours;
use crate::multigrid;
use crate::settings::Settings;

impl<T: Real> Cpu<T> {
    /// Gets ready to solve the pressure without SOR, if that is asked for.
    ///
    /// # Errors
    /// If parts are too thin or a rank has stopped.
    pub(crate) fn prepare_solver(
        &mut self,
        case: &Case,
        context: &Context,
        settings: &Settings,
    ) -> Result<()> {
        let Some(how) = settings.solver else { return Ok(()) };
        let cut = context.decomposition(case)?;
        let part = cut.subdomain(context.ranks.rank());
        let levels = Levels::new(&case.grid, &cut, part.rank, self.shape.halo)?;
        let (ranks, pool) = (self.ranks.clone(), self.pool.clone());
        let mut equation = PressureEquation::new(levels, ranks, pool, how)?;
        *equation.finest_mut().c = multigrid::coefficients(case, &part, &self.shape);
        equation.prepare()?;
        self.equation = Some(equation);
        Ok(())
    }

    /// Solves the equation from the pressure that there is; returns iterations.
    pub(super) fn solve_equation(&mut self, how: PressureSolver) -> Result<u64> {
        let Some(mut equation) = self.equation.take() else { return Ok(0) };
        let iterations = self.solve_with(&mut equation, how);
        self.equation = Some(equation);
        iterations
    }

    fn solve_with(&mut self, equation: &mut PressureEquation, how: PressureSolver) -> Result<u64> {
        let finest = equation.finest_mut();
        let (shape, Split { colours, p, right_hand_side, inverse_diagonal, .. }) =
            (self.shape, &self.split);
        merge(&self.pool, shape, *colours, finest.x, |colour, m| p[colour][m].to_f64());
        merge(&self.pool, shape, *colours, finest.b, |colour, m| {
            let flows = inverse_diagonal[colour][m] > T::default();
            if flows { -right_hand_side[colour][m].to_f64() } else { 0.0 }
        });
        equation.domain().clone().fill_halo(equation.finest_mut().x)?;
        let iterations = equation.solve(how)?;
        let x = equation.grids().x();
        for row in self.shape.rows() {
            row.for_each(|at| self.p[at] = T::from_f64(x[at]));
        }
        self.split_pressure();
        for (halo, p) in self.split.halos.iter().zip(&mut self.split.p) {
            halo.exchange(&*self.ranks, &mut [p])?;
        }
        Ok(iterations)
    }
}

/// Fills own cells of a padded array from the two colours: `value` of a colour's place.
fn merge(
    pool: &ThreadPool,
    shape: Shape,
    colours: Colours,
    array: &mut [f64],
    value: impl Fn(usize, usize) -> f64 + Sync,
) {
    let (halo, half) = (shape.halo[0], colours.row_length());
    pool.each_row(&Region::own(shape), [array], |row, [values]| {
        let red_first = colours.start(0, row.j, row.k) == halo % 2;
        for (i, out) in values.iter_mut().enumerate() {
            let colour = usize::from((i % 2 == 0) != red_first);
            *out = value(colour, row.number * half + (i + halo) / 2);
        }
    });
}
