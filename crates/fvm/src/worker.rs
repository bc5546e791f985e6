//! Counts outer iterations and time steps, and looks at the residuals now and then.

use std::ops::Range;

use vortice_core::{
    Case, Context, Field, FieldLater, Quantity, Real, Result, Rounds, Settling, StateReader,
    StateWriter, Step, SurfaceFluxes, SurfaceForce, ThreadPool,
};
use vortice_gpu::Gpu;

use crate::cpu::Cpu;
use crate::engine::{Engine, ResidualNorms};
use crate::gpu::OnGpu;
use crate::options::Measure;
use crate::settings::Settings;
use crate::{state, step};

/// Outer iterations after which a flow that is no longer finite is noticed, however seldom the
/// residual is asked for.
const LOOK_AT_LEAST_EVERY: u64 = 10;

/// An engine and how far it is.
pub(crate) struct Worker {
    settings: Settings,
    engine: Box<dyn Engine>,
    case: Case,
    context: Context,
    now: Step,
    /// Largest sum of residuals so far.
    largest: f64,
    /// Of the flow as it is, if that was asked for.
    mean_pressure: Option<f64>,
    settling: Settling,
}

/// Changes, shares of the velocity scale, that rounding makes in a time step, or between two looks at
/// outer iterations: what solvers leave of a residual that is rounding.
const ROUNDING: f64 = 1e-13;

impl Worker {
    /// The engine for the case's device.
    ///
    /// # Errors
    /// If the device cannot be had, or cannot do the case.
    pub(crate) fn new(case: &Case, context: &Context) -> Result<Self> {
        let settings = Settings::of(case)?;
        let engine: Box<dyn Engine> = match Gpu::for_case(case, context)? {
            Some(gpu) => Box::new(OnGpu::new(&gpu, case, context, &settings)?),
            None => Box::new(Cpu::new(case, context, &settings)?),
        };
        let now = Step { residual: f64::INFINITY, ..Step::default() };
        let (case, context) = (case.clone(), context.clone());
        let settling = Settling::new(&case);
        let (largest, mean_pressure) = (0.0, None);
        Ok(Self { settings, engine, case, context, now, largest, mean_pressure, settling })
    }

    pub(crate) fn case(&self) -> &Case {
        &self.case
    }

    pub(crate) fn now(&self) -> Step {
        self.now
    }

    /// Whether outer iterations of a steady flow are on their way together, which a look would take apart.
    pub(crate) fn is_between_looks(&self) -> bool {
        let Self { settings, engine, now, .. } = self;
        engine.defers()
            && settings.steady
            && !now.number.is_multiple_of(settings.options.look_every())
    }

    /// One outer iteration of a steady flow, or one time step.
    pub(crate) fn step(&mut self, latest: f64) -> Result<Step> {
        ThreadPool::within(self.engine.pool(), || self.go_on(latest))
    }

    fn go_on(&mut self, latest: f64) -> Result<Step> {
        self.mean_pressure = None;
        if self.settings.steady {
            self.iterate()?
        } else {
            self.advance(latest)?
        }
        Ok(self.now)
    }

    /// One outer iteration.
    fn iterate(&mut self) -> Result<()> {
        if self.now.number == 0 {
            self.engine.begin_step()?;
        }
        self.engine.set_factors(&self.settings.steady_factors(self.case.force))?;
        let (engine, options) = (&mut *self.engine, &self.settings.options);
        self.now.iterations = match options.has_cycles() {
            true => step::cycle(engine, options)?,
            false => step::iterate(engine, options)?,
        };
        self.now.number += 1;
        let number = self.now.number;
        let every = self.settings.options.look_every();
        let judged = number == 1 || number.is_multiple_of(every);
        if judged || number.is_multiple_of(LOOK_AT_LEAST_EVERY) {
            let norms = self.engine.residual_norms()?;
            if judged || !norms.is_finite() {
                self.now.residual = self.judge(&norms);
            }
        }
        if number.is_multiple_of(every) {
            let change = self.engine.change()? / self.settings.velocity_scale;
            let change = change.max_magnitude(self.engine.scalar_change()?);
            self.engine.begin_step()?;
            let asked = match self.settings.options.has_cycles() {
                true => self.settling.asked(self.now.residual),
                false => 0.0,
            };
            self.settling.add(change.max_magnitude(asked), ROUNDING);
        }
        self.settling.tell(&mut self.now);
        Ok(())
    }

    /// What a steady run's residual is.
    fn judge(&mut self, norms: &ResidualNorms) -> f64 {
        if !norms.is_finite() {
            return f64::NAN;
        }
        match self.settings.options.measure {
            Measure::Rate => {
                (norms.momentum / self.settings.velocity_scale).max(norms.mass).max(norms.scalars)
            }
            Measure::Drop => {
                self.largest = self.largest.max(norms.sum as f64);
                norms.sum as f64 / self.largest
            }
        }
    }

    fn advance(&mut self, latest: f64) -> Result<()> {
        let dt = self.settings.time_step(self.now.time, latest);
        let last = (self.now.dt > 0.0).then_some(self.now.dt);
        let ends = (latest - self.now.time - dt).abs() < 1e-9 * dt;
        let time = if ends { latest } else { self.now.time + dt };
        let factors = self.settings.time_factors(dt, last, self.case.force_at(time));
        self.engine.set_factors(&factors)?;
        self.engine.begin_step()?;
        self.engine.prescribe(time)?;
        let mut iterations = 0;
        for _ in 0..self.settings.options.outer_iterations {
            iterations += step::iterate(&mut *self.engine, &self.settings.options)?;
        }
        let change = self.engine.change()?;
        let scalar_change = self.engine.scalar_change()? / dt;
        self.now = Step {
            number: self.now.number + 1,
            time,
            dt,
            iterations,
            residual: (change / (dt * self.settings.velocity_scale)).max_magnitude(scalar_change),
            ..Step::default()
        };
        self.settling.follow(&mut self.now, ROUNDING);
        Ok(())
    }

    /// Velocity, pressure or a scalar at the centres of some rows of own cells, in SI units; a pressure that is fixed
    /// nowhere has the mean zero.
    pub(crate) fn field(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        match quantity {
            Quantity::Pressure => {}
            Quantity::Temperature | Quantity::Scalar(_) => {
                return self.engine.scalar(quantity, rows);
            }
            _ => return self.engine.velocity(rows),
        }
        let mean = match self.mean_pressure {
            Some(known) => known,
            None => *self.mean_pressure.insert(self.engine.mean_pressure()?),
        };
        self.engine.pressure(rows, mean)
    }

    /// Velocity at the centres of some rows of own cells, perhaps still on its way from a device.
    pub(crate) fn velocity_later(&mut self, rows: Range<usize>) -> Result<FieldLater> {
        self.engine.velocity_later(rows)
    }

    /// The forces on the case's bodies.
    pub(crate) fn forces(&mut self) -> Result<Vec<SurfaceForce>> {
        if self.case.boundaries.change() {
            return self.engine.forces(self.case.clone().at(self.now.time));
        }
        self.engine.forces(&self.case)
    }

    /// What faces of the box, bodies and solid boxes let in.
    pub(crate) fn surface_fluxes(&mut self) -> Result<SurfaceFluxes> {
        let Self { case, context, engine, now, .. } = self;
        let part = context.subdomain(case)?;
        let here = (&*case, &part, now.time);
        SurfaceFluxes::of(here, &*context.ranks, state::FACE_VELOCITIES, |state| engine.save(state))
    }

    /// Its flow as one that is mixed where it lies, if it can be.
    pub(crate) fn rounds(&mut self) -> Option<Box<dyn Rounds + '_>> {
        self.mean_pressure = None;
        self.engine.rounds()
    }

    /// Waits until all steps are done.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.engine.finish()
    }

    /// The complete state.
    pub(crate) fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.now.save(state);
        state.number("largest", self.largest);
        self.settling.save(state);
        self.engine.save(state)
    }

    /// Goes on from a saved state.
    pub(crate) fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.now = Step::saved(state)?;
        self.largest = state.number("largest")?;
        self.settling.restore(state, &mut self.now)?;
        self.mean_pressure = None;
        self.engine.restore(state)?;
        self.engine.prescribe(self.now.time)
    }
}
