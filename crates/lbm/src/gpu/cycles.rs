//! What cycles do on a device; eqs. (L23) to (L25). Twin of the processor's `cycles`.

use vortice_core::{Case, Context, Result};
use vortice_gpu::{Argument, Buffer, Gpu, value};

use super::OnGpu;
use super::device::Device;
use super::numbers::{Layout, PaddedCells, Rates, places_in_turn};
use super::operation::Operation;
use super::visit::Visit;
use crate::coarser::{Grid, Padded, coarser};
use crate::engine::{Cycled, Told};
use crate::number::Packed;
use crate::population::Population;
use crate::settings::Settings;
use crate::step;

/// What kernels on a coarser grid are told of it: its cells, their padded places, and which of these are open.
fn told_of<'a, T: Packed>(
    (layout, rates, parity): (&'a Layout, &'a Rates<T>, &'a i32),
    (padded, open): (&'a PaddedCells, &'a Buffer<T>),
) -> Vec<Argument<'a>> {
    vec![
        value("layout", layout),
        value("padded", padded),
        value("rates", rates),
        value("parity", parity),
        open.input("open"),
    ]
}

impl<T: Packed, P: bytemuck::Pod> Device<T, P> {
    /// Adds what a step is asked for.
    pub(super) fn add_asked(&mut self) -> Result<()> {
        let Some(Visit { asked, .. }) = &self.visit else { return Ok(()) };
        let asked = &asked[self.parity];
        let count = asked.len() as i64;
        self.kernels.add_to_step.launch(
            places_in_turn(asked.len()),
            &[value("count", &count), asked.input("asked"), self.f.output("f")],
        )
    }

    fn tell(&self, coarser: &mut Self, told: Told) -> Result<()> {
        let Some(visit) = &mut coarser.visit else { return Ok(()) };
        let parity = self.parity as i32;
        self.kernels.tell_coarser.launch(
            coarser.layout.cells_in_turn(),
            &[
                value("layout", &self.layout),
                value("coarser", &coarser.layout),
                value("padded", &visit.padded),
                value("rates", &self.rates),
                value("parity", &parity),
                visit.open.input("open"),
                self.f.input("f"),
                visit.told[told as usize].output("told"),
            ],
        )
    }

    fn begin_with_first(&mut self) -> Result<()> {
        let Some(visit) = &self.visit else { return Ok(()) };
        let parity = self.parity as i32;
        let grid = told_of((&self.layout, &self.rates, &parity), (&visit.padded, &visit.open));
        let rest = vec![visit.told[0].input("told"), self.f.output("f")];
        self.kernels.begin_with.launch(self.layout.cells_in_turn(), &[grid, rest].concat())
    }

    fn ask_of_step(&mut self) -> Result<()> {
        let Some(visit) = &mut self.visit else { return Ok(()) };
        let parity = self.parity as i32;
        let ([before, after], [even, odd]) = (&visit.told, &mut visit.asked);
        let grid = told_of((&self.layout, &self.rates, &parity), (&visit.padded, &visit.open));
        let rest = vec![
            before.input("before"),
            after.input("after"),
            self.f.output("f"),
            even.output("asked_even"),
            odd.output("asked_odd"),
        ];
        self.kernels.ask_of_step.launch(self.layout.cells_in_turn(), &[grid, rest].concat())
    }

    fn note_change(&mut self) -> Result<()> {
        let Some(visit) = &mut self.visit else { return Ok(()) };
        let parity = self.parity as i32;
        let grid = told_of((&self.layout, &self.rates, &parity), (&visit.padded, &visit.open));
        let rest =
            vec![visit.told[1].input("after"), self.f.input("f"), visit.change.output("change")];
        let arguments = [grid, rest].concat();
        self.kernels.change_of_coarser.launch(self.layout.cells_in_turn(), &arguments)?;
        visit.halo.exchange(&*self.ranks, &mut [&mut visit.change])
    }

    fn correct_by(&mut self, coarser: &Self) -> Result<()> {
        let Some(visit) = &coarser.visit else { return Ok(()) };
        let parity = self.parity as i32;
        self.kernels.correct_by_coarser.launch(
            self.layout.cells_in_turn(),
            &[
                value("layout", &self.layout),
                value("coarser", &coarser.layout),
                value("padded", &visit.padded),
                value("rates", &self.rates),
                value("parity", &parity),
                visit.open.input("open"),
                visit.change.input("change"),
                self.f.output("f"),
            ],
        )
    }
}

impl<const Q: usize, T: Packed, P: Population<T>> OnGpu<Q, T, P> {
    /// The engine of one rank with all coarser grids, if steps are cycles.
    ///
    /// # Errors
    /// As [`OnGpu::new`], or if ranks have parts that cannot be halved.
    pub(crate) fn with_coarser(
        gpu: &Gpu,
        case: &Case,
        context: &Context,
        settings: &Settings,
    ) -> Result<Self> {
        let mut engine = Self::new(gpu, case, context, settings)?;
        if let Some(Grid { settings, context }) = coarser(case, context, settings)? {
            let mut coarser = Self::with_coarser(gpu, &settings.case, &context, &settings)?;
            let Self { settings, layout, part, solid, device, .. } = &coarser;
            let padded = Padded::new(settings, part, (layout, solid), &*device.ranks)?;
            coarser.device.visit = Some(Visit::new(gpu, layout, Q, padded)?);
            engine.coarser = Some(Box::new(coarser));
        }
        if settings.rounds > 0 {
            let cells: usize = engine.layout.shape.cells.iter().product();
            engine.mixed = Some(gpu.zeros(Q * cells)?);
        }
        Ok(engine)
    }
}

impl<const Q: usize, T: Packed, P: Population<T>> Cycled for OnGpu<Q, T, P> {
    fn coarser(&mut self) -> Option<&mut dyn Cycled> {
        self.coarser.as_mut().map(|coarser| &mut **coarser as _)
    }

    fn smooth(&mut self, steps: u64) -> Result<()> {
        match self.device.visit {
            Some(_) => self.record(steps, &[Operation::Advance, Operation::AddAsked]),
            None => self.record(steps, &[Operation::Advance]),
        }
    }

    fn restrict(&mut self, told: Told) -> Result<()> {
        let Some(coarser) = &mut self.coarser else { return Ok(()) };
        self.device.tell(&mut coarser.device, told)
    }

    fn ask(&mut self) -> Result<()> {
        self.device.begin_with_first()?;
        step::advance(self)?;
        self.device.ask_of_step()
    }

    fn prolong(&mut self) -> Result<()> {
        let Some(coarser) = &mut self.coarser else { return Ok(()) };
        coarser.device.note_change()?;
        self.device.correct_by(&coarser.device)
    }
}
