//! Launches that set up and solve the pressure equation.

use vortice_core::{Real, Result};
use vortice_gpu::{Argument, Buffer, value};

use super::device::Device;
use super::fields::{Fields, inputs, outputs};
use super::numbers::{Layout, Rows, Sweep, each_entry};

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
        self.prescribe_pressures()
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
            gpu.aside(|| exchange.colour(&**ranks, colour, &mut fields.p))?;
        }
        self.relax_rows(sweep, colour, Rows::new(&self.rows.inner))?;
        if overlaps {
            return self.gpu.join();
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
    ///
    /// # Errors
    /// If the device or another rank fails.
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
        let (equation, found, _) = self.fields.equation(&self.layout, &sweep);
        let arguments: Vec<_> = equation.into_iter().chain([found.output("found")]).collect();
        self.kernels.residual.launch(self.layout.cells_in_turn(), &arguments)
    }

    /// Sums of squares of residuals and right-hand sides, by the largest that were found.
    pub(super) fn squares(&mut self) -> Result<()> {
        self.fields.sums.clear()?;
        let sweep = Sweep::new(self.spacing, 1.0);
        let (equation, found, sums) = self.fields.equation(&self.layout, &sweep);
        let last = [found.input("found"), sums.output("sums")];
        let arguments: Vec<_> = equation.into_iter().chain(last).collect();
        self.kernels.squares.launch(self.layout.rows_in_turn(), &arguments)
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
            self.found.output("found"),
        ]
    }

    /// The pressure equation as arguments, and where launches put what they find.
    fn equation<'a>(
        &'a mut self,
        layout: &'a Layout,
        sweep: &'a Sweep<T>,
    ) -> ([Argument<'a>; 9], &'a mut Buffer<T>, &'a mut Buffer<u64>) {
        let Self { p, right_hand_side, kinds, inverse_diagonals, found, sums, .. } = self;
        let [a, b, c, d, e, f, g] = both_colours(p, right_hand_side, kinds, inverse_diagonals);
        let arguments = [value("layout", layout), value("sweep", sweep), a, b, c, d, e, f, g];
        (arguments, found, sums)
    }
}

/// The pressure equation of both colours as the arguments that kernels have in common.
pub(super) fn both_colours<'a, T: Real>(
    p: &'a [Buffer<T>; 2],
    right_hand_side: &'a [Buffer<T>; 2],
    kinds: &'a [Buffer<u8>; 2],
    inverse_diagonals: &'a Buffer<T>,
) -> [Argument<'a>; 7] {
    let [red, black] = inputs(p, ["red", "black"]);
    let [b_red, b_black] = inputs(right_hand_side, ["b_red", "b_black"]);
    let [kinds_red, kinds_black] = inputs(kinds, ["kinds_red", "kinds_black"]);
    let inverse_diagonals = inverse_diagonals.input("inverse_diagonals");
    [red, black, b_red, b_black, kinds_red, kinds_black, inverse_diagonals]
}
