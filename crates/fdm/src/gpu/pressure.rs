//! Launches that set up and solve the pressure equation.

use vortice_core::{Real, Result};
use vortice_gpu::{Argument, Buffer, value};

use vortice_linear::PressureSolver;
use vortice_linear::gpu::PressureEquation;

use super::Gpu;
use super::device::Device;
use super::fields::{Fields, both_colours, inputs, outputs};
use super::margins::BATCH;
use super::numbers::{Layout, RESIDUAL, RIGHT_HAND_SIDE, Rows, SUMS, Sweep, each_entry};
use super::operation::Operation;
use super::relax_tile::{TileSweep, Weights};
use super::solver::Solver;
use crate::engine::{Norm, Residual};
use crate::squares;

impl<T: Real> Device<T> {
    /// Right-hand sides of both colours; eq. (F5).
    pub(super) fn divergence(&mut self) -> Result<()> {
        let fields = &mut self.fields;
        let [f, g, h] = inputs(&fields.f, ["f", "g", "h"]);
        let [red, black] = outputs(&mut fields.right_hand_side, ["red", "black"]);
        self.kernels.divergence.launch(
            self.layout.each_two_cells(),
            &[
                value("layout", &self.layout),
                fields.interval.input("interval"),
                f,
                g,
                h,
                red,
                black,
            ],
        )?;
        self.prescribe_pressures()?;
        let Self { exchange, ranks, fields, .. } = self;
        exchange.margins(&**ranks, &mut fields.wide.right_hand_side)
    }

    fn prescribe_pressures(&mut self) -> Result<()> {
        let count = self.pressures.places.len();
        if count == 0 {
            return Ok(());
        }
        let entries = count as i32;
        let [red, black] = outputs(&mut self.fields.right_hand_side, ["red", "black"]);
        self.kernels.prescribe_pressures.launch(
            each_entry(count),
            &[
                value("entries", &entries),
                self.pressures.places.input("places"),
                self.pressures.values.input("values"),
                red,
                black,
            ],
        )
    }

    /// Iterations of red-black SOR; eq. (F6).
    pub(super) fn relax(&mut self, omega: f64, iterations: u32) -> Result<()> {
        if self.tiles.is_some() {
            return self.relax_tiles(omega, iterations);
        }
        let sweep = Sweep::new(self.spacing, omega);
        (0..2 * iterations as usize)
            .try_for_each(|half_sweep| self.relax_colour(&sweep, half_sweep % 2))
    }

    /// One colour, and its halos: their messages travel beside the work where they can.
    fn relax_colour(&mut self, sweep: &Sweep<T>, colour: usize) -> Result<()> {
        let count = self.rows.outer.len();
        (0..count).try_for_each(|number| {
            self.relax_rows(sweep, colour, Rows::new(&self.rows.outer[number]))
        })?;
        let overlaps = count > 0 && self.exchange.stays_on_device();
        if overlaps {
            let Self { gpu, exchange, ranks, fields, .. } = self;
            gpu.fork(|| exchange.colour(&**ranks, colour, &mut fields.p))?;
        }
        self.relax_rows(sweep, colour, Rows::new(&self.rows.inner))?;
        if overlaps {
            return self.gpu.join_fork();
        }
        self.exchange.colour(&*self.ranks, colour, &mut self.fields.p)
    }

    fn relax_rows(&mut self, sweep: &Sweep<T>, colour: usize, rows: Rows) -> Result<()> {
        let number = colour as i32;
        let [layout, rest @ .., _] = self.fields.half_sweep(&self.layout, sweep, &number, colour);
        let arguments: Vec<_> = [layout, value("rows", &rows)].into_iter().chain(rest).collect();
        self.kernels.relax.launch(self.layout.few_of_rows::<T>(&rows), &arguments)
    }

    /// Gives the pressure its halos.
    pub(crate) fn complete_pressure(&mut self) -> Result<()> {
        let Self { exchange, ranks, fields, tiles, .. } = self;
        (0..2).try_for_each(|colour| exchange.colour(&**ranks, colour, &mut fields.p))?;
        tiles.as_mut().map_or(Ok(()), |tiles| tiles.complete(fields))
    }

    /// One iteration, and the largest change of a pressure in it; eqs. (F6), (F13).
    pub(super) fn relax_and_measure(&mut self, omega: f64) -> Result<()> {
        let sweep = Sweep::new(self.spacing, omega);
        for colour in 0..2 {
            let number = colour as i32;
            let arguments = self.fields.half_sweep(&self.layout, &sweep, &number, colour);
            self.kernels.relax_and_measure.launch(self.layout.few_in_turn::<T>(), &arguments)?;
            self.exchange.colour(&*self.ranks, colour, &mut self.fields.p)?;
        }
        Ok(())
    }

    /// The largest residual and right-hand side; eq. (F13).
    pub(super) fn residual(&mut self) -> Result<()> {
        let sweep = Sweep::new(self.spacing, 1.0);
        let (equation, reductions, _) = self.fields.equation(&self.layout, &sweep);
        let arguments: Vec<_> =
            equation.into_iter().chain([reductions.output("reductions")]).collect();
        self.kernels.residual.launch(self.layout.each_cell_noted(), &arguments)
    }

    /// Sums of squares of residuals and right-hand sides, by the largest that were found.
    pub(super) fn squares(&mut self) -> Result<()> {
        self.fields.sums.clear()?;
        let sweep = Sweep::new(self.spacing, 1.0);
        let (equation, reductions, sums) = self.fields.equation(&self.layout, &sweep);
        let last = [reductions.input("reductions"), sums.output("sums")];
        let arguments: Vec<_> = equation.into_iter().chain(last).collect();
        self.kernels.squares.launch(self.layout.rows_in_turn(), &arguments)
    }

    /// Iterations of red-black SOR; eq. (F6). As few launches as possible with like shares.
    pub(super) fn relax_tiles(&mut self, omega: f64, iterations: u32) -> Result<()> {
        let Self { tiles: Some(tiles), exchange, ranks, fields, layout, spacing, .. } = self else {
            return Ok(());
        };
        let inverse_h2 = [0, 1].map(|d| T::from_f64(1.0 / (spacing[d] * spacing[d])));
        let weights =
            Weights { inverse_h2, omega: T::from_f64(omega), keep: T::from_f64(1.0 - omega) };
        let mut left = iterations;
        for launches in (1..=iterations.div_ceil(BATCH as u32)).rev() {
            let share = left.div_ceil(launches);
            left -= share;
            let (iterations, half_row) = (share as i32, layout.half_row);
            exchange.margins(&**ranks, &mut fields.wide.p)?;
            tiles.launch(fields, &TileSweep { weights, iterations, half_row })?;
        }
        Ok(())
    }

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

impl<T: Real> Gpu<T> {
    /// How well the pressure satisfies its equation, over all ranks.
    pub(super) fn pressure_residual(&mut self, norm: Norm) -> Result<Residual> {
        self.record(Operation::Residual)?;
        let work = &mut self.work;
        if norm == Norm::Max {
            let [residual, right_hand_side] = work.largest()?;
            return Ok(Residual { residual, right_hand_side });
        }
        // Squares are in units of the largest: that of all ranks.
        if work.device.ranks.size() > 1 {
            work.largest()?;
        }
        work.record(Operation::Squares)?;
        let reductions = work.reductions()?;
        let mut sums = [0; SUMS];
        work.device.fields.sums.read(&mut sums)?;
        Ok(Residual {
            residual: self.root_mean_square(&sums[..2], reductions[RESIDUAL])?,
            right_hand_side: self.root_mean_square(&sums[2..], reductions[RIGHT_HAND_SIDE])?,
        })
    }

    /// The root mean square of one of two kinds of numbers over all ranks.
    fn root_mean_square(&self, sums: &[u64], largest: f64) -> Result<f64> {
        if !squares::can_be_summed(largest) {
            return Ok(largest);
        }
        let sum = i128::from(sums[0]) + (i128::from(sums[1]) << 32);
        let sum = self.work.device.ranks.sum_exact(sum)?;
        Ok(squares::root(sum, self.flow_cells, squares::unit(largest)))
    }
}

impl<T: Real> Fields<T> {
    /// The arguments of a half-sweep; the last is only for the one that measures.
    fn half_sweep<'a>(
        &'a mut self,
        layout: &'a Layout,
        sweep: &'a Sweep<T>,
        number: &'a i32,
        colour: usize,
    ) -> [Argument<'a>; 9] {
        let [red, black] = &mut self.p;
        let (mine, other) = if colour == 0 { (red, &*black) } else { (black, &*red) };
        [
            value("layout", layout),
            value("sweep", sweep),
            value("colour", number),
            mine.output("mine"),
            other.input("other"),
            self.right_hand_side[colour].input("right_hand_side"),
            self.kinds[colour].input("kinds"),
            self.inverse_diagonals.input("inverse_diagonals"),
            self.reductions.output("reductions"),
        ]
    }

    /// The pressure equation as arguments, and where launches put what they find.
    fn equation<'a>(
        &'a mut self,
        layout: &'a Layout,
        sweep: &'a Sweep<T>,
    ) -> ([Argument<'a>; 9], &'a mut Buffer<T>, &'a mut Buffer<u64>) {
        let Self { p, right_hand_side, kinds, inverse_diagonals, reductions, sums, .. } = self;
        let [a, b, c, d, e, f, g] = both_colours(p, right_hand_side, kinds, inverse_diagonals);
        let arguments = [value("layout", layout), value("sweep", sweep), a, b, c, d, e, f, g];
        (arguments, reductions, sums)
    }
}
