//! Solution of the momentum equations.

use vortice_core::{Region, Result};
use vortice_linear::cpu::Coefficients;
use vortice_linear::cpu::rows::{Sides, from_sums};
use vortice_linear::{Colour, Criterion, stencil};

use super::krylov::Krylov;
use super::sweep::SevenPoints;
use super::{Cpu, Equations, slice_at};
use crate::options::Momentum;

/// Iterations between looks, which cost nothing here.
const LOOK_EVERY: usize = 1;

impl Cpu {
    /// Solves the equations of all components; returns inner iterations.
    pub(super) fn solve_equations(&mut self, how: Momentum) -> Result<u64> {
        match how {
            Momentum::Sweeps(sweeps) => {
                for _ in 0..sweeps {
                    self.relax(Colour::Red)?;
                    self.relax(Colour::Black)?;
                }
                Ok(sweeps.into())
            }
            Momentum::Bicgstab(stop) => self.bicgstab(stop),
        }
    }

    /// New velocities in the cells of one colour, from those of the other; eq. (V8).
    fn relax(&mut self, colour: Colour) -> Result<()> {
        let directions = self.fluid.directions;
        let shift = self.origin + usize::from(colour == Colour::Black);
        let Equations { a, inverse, b, .. } = &self.momentum;
        for (u, b) in self.now.u.iter_mut().zip(b).take(directions) {
            SevenPoints { a, inverse, b, directions }.relax(&self.pool, &self.shape, shift, u);
        }
        self.exchange_velocity()
    }

    fn bicgstab(&mut self, criterion: Criterion) -> Result<u64> {
        let Some(mut krylov) = self.krylov.take() else { return Ok(0) };
        let Krylov { space, solver, residual, correction } = &mut krylov;
        self.give(space.operator.coefficients_mut());
        let domain = space.domain().clone();
        space.operator.prepare(&domain);
        let stop = criterion.looked_at_every(LOOK_EVERY);
        let mut iterations = 0;
        for c in 0..self.fluid.directions {
            self.momentum_residual(c, residual);
            correction.fill(0.0);
            let outcome = solver.solve(space, residual, correction, &stop)?;
            iterations += outcome.iterations as u64;
            domain.axpy(1.0, correction, &mut self.now.u[c]);
        }
        self.krylov = Some(krylov);
        self.exchange_velocity()?;
        Ok(iterations)
    }

    /// Copies the operator; solid cells have no equation.
    fn give(&self, operator: &mut Coefficients) {
        let Equations { a, diagonal, inverse, .. } = &self.momentum;
        let give = |to: &mut Vec<f64>, from: &Vec<f64>| {
            for (to, (from, inverse)) in to.iter_mut().zip(from.iter().zip(inverse)) {
                *to = if *inverse == 0.0 { 0.0 } else { *from };
            }
        };
        operator.a.iter_mut().zip(a).for_each(|(to, from)| give(to, from));
        give(&mut operator.diagonal, diagonal);
    }

    /// Right-hand side less operator times velocity, of one component.
    fn momentum_residual(&self, c: usize, residual: &mut [f64]) {
        let directions = self.fluid.directions;
        let shape = self.shape;
        let (u, Equations { a, inverse, b, diagonal }) = (&self.now.u[c], &self.momentum);
        self.pool.each_row(
            &Region::own(shape),
            [residual],
            #[inline(always)]
            |row, [residual]| {
                let n = residual.len();
                let at = |of| slice_at(of, row.place, 0, n);
                let (here, b, diagonal, inverse) = (at(u), at(&b[c]), at(diagonal), at(inverse));
                let around = Sides::cells(u, &shape, directions, row.place, n);
                let a = Sides::own(a, directions, row.place, n);
                from_sums(
                    &a,
                    &around,
                    directions,
                    residual,
                    #[inline(always)]
                    |i, sum| {
                        let residual = stencil::residual(b[i], sum, diagonal[i], here[i]);
                        if inverse[i] == 0.0 { 0.0 } else { residual }
                    },
                );
            },
        );
    }
}
