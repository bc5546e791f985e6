//! Counts steps, looks at the flow once in a convective time, and every few steps whether it is still
//! finite. A device may do its steps later, many at a time.

use std::ops::Range;
use std::sync::Arc;

use vortice_core::{
    Case, Communicator, Context, Error, FaceFluxes, Field, FieldLater, Heat, Precision, Quantity,
    Real, Result, Rounds, RowBlock, Settling, StateReader, StateWriter, Step, Subdomain,
    SurfaceForce,
};
use vortice_gpu::Gpu;

use crate::cpu::Cpu;
use crate::cycle;
use crate::engine::{DEVIATION_UNITS, Engine, MassAndChange};
use crate::gpu::OnGpu;
use crate::moments::{self, cpu::MomentsOnCpu};
use crate::number::Packed;
use crate::options::{NAME, Storage, Streaming};
use crate::population::{Half, Population};
use crate::pull::Pull;
use crate::settings::{SOUND_SQUARED, Settings};

/// Steps after which a flow that is no longer finite is noticed: one population of each cell is read,
/// which is less than a hundredth of what so many steps move.
const NOTICE_EVERY: u64 = 8;

/// The time step in s in states of cycles, which have no length themselves.
const STEP: &str = "lattice-step";

/// An engine and what it has been asked for.
pub(crate) struct Worker {
    settings: Settings,
    engine: Box<dyn Engine>,
    part: Subdomain,
    ranks: Arc<dyn Communicator>,
    now: Step,
    /// Steps asked for and not yet done.
    owed: u64,
    /// Steps that are put off at most, the same on all ranks.
    batch: u64,
    /// Density less one of all cells, in whole units, at the beginning.
    density_deviation: i128,
    /// The largest speed of all looks, in cells per step.
    fastest: f64,
    /// The largest density less one of all looks, of either sign.
    deviation: f64,
    settling: Settling,
    /// Of the flow as it is in some rows, if it was found with a velocity that was asked for.
    pressure: Option<(RowBlock, Field)>,
    /// Change that rounding makes between two looks, as a share of the velocity scale.
    rounding: f64,
}

/// Changes, in units in the last place of the velocity scale, that rounding makes between two looks.
const ROUNDING: f64 = 8.0;

impl Worker {
    /// The engine for the case's device, lattice and number type.
    ///
    /// # Errors
    /// If the device cannot be had, or cannot do the case.
    pub(crate) fn new(case: &Case, context: &Context) -> Result<Self> {
        let settings = Settings::of(case)?;
        let engine = match (settings.storage, case.run.precision) {
            (Storage::F16, _) => of_lattice::<f32, Half>(case, context, &settings)?,
            (_, Precision::F32) => of_lattice::<f32, f32>(case, context, &settings)?,
            (_, Precision::F64) => of_lattice::<f64, f64>(case, context, &settings)?,
        };
        // Cycles have no length.
        let dt = if settings.has_cycles { 0.0 } else { settings.dt };
        // Nothing is known yet of how much the flow changes: all of it may, in a step.
        let now = Step { dt, residual: 1.0 / settings.dt, ..Step::default() };
        let (part, ranks) = (context.subdomain(case)?, context.ranks.clone());
        let rounding = ROUNDING
            * match (settings.storage, case.run.precision) {
                // Eleven bits.
                (Storage::F16, _) => (-11f64).exp2(),
                (_, Precision::F32) => f64::from(f32::EPSILON),
                (_, Precision::F64) => f64::EPSILON,
            };
        // A rank that puts its steps off while its neighbour does not would wait for it, and it for the rank.
        let batches = ranks.all_gather(&engine.batch().to_le_bytes())?;
        let batch = batches.iter().filter_map(|bytes| bytes.as_slice().try_into().ok());
        let batch = batch.map(u64::from_le_bytes).min().unwrap_or(1);
        let batch = if settings.case.changes() { 1 } else { batch };
        let settling = Settling::new(case);
        let (owed, density_deviation, fastest, deviation) = (0, 0, 0.0, 0.0);
        let mut worker = Self {
            settings,
            engine,
            part,
            ranks,
            now,
            owed,
            batch,
            density_deviation,
            fastest,
            deviation,
            settling,
            pressure: None,
            rounding,
        };
        worker.density_deviation = worker.mass_and_change()?.density_deviation;
        Ok(worker)
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn now(&self) -> Step {
        self.now
    }

    /// A cycle in place of a step.
    fn improve(&mut self) -> Result<Step> {
        self.pressure = None;
        if let Some(finest) = self.engine.cycled() {
            cycle::improve(finest)?;
        }
        let change = self.mass_and_change()?.change * self.settings.velocity_unit();
        let moved = change / self.settings.case.scale.velocity;
        let (number, residual) = (self.now.number + 1, moved / self.settings.convective);
        self.now = Step { number, residual, ..Step::default() };
        self.settling.add(moved, cycle::ON_FINEST as f64 * self.rounding);
        self.settling.tell(&mut self.now);
        Ok(self.now)
    }

    /// Asks for one more step.
    pub(crate) fn step(&mut self) -> Result<Step> {
        if self.settings.has_cycles {
            return self.improve();
        }
        self.owed += 1;
        self.pressure = None;
        self.now.number += 1;
        self.now.time = self.settings.time(self.now.number);
        if self.now.number.is_multiple_of(self.settings.interval) {
            let mass_and_change = self.mass_and_change()?;
            let speed = mass_and_change.change * self.settings.velocity_unit();
            let moved = speed / self.settings.case.scale.velocity;
            let rate =
                moved.max_magnitude(mass_and_change.scalar_change) / self.settings.convective;
            self.now.residual = rate;
            self.settling.add(rate * self.settings.convective, self.rounding);
            self.settling.tell(&mut self.now);
        } else if self.owed >= self.batch {
            self.catch_up()?;
        }
        if self.now.number.is_multiple_of(NOTICE_EVERY) && !self.is_finite()? {
            self.now.residual = f64::NAN;
        }
        Ok(self.now)
    }

    /// Whether the flow of all ranks is still finite, as far as is known.
    fn is_finite(&mut self) -> Result<bool> {
        let mut broken = [f64::from(u8::from(!self.engine.is_finite()?))];
        self.ranks.max(&mut broken)?;
        Ok(broken == [0.0])
    }

    /// Does the steps that were asked for.
    fn catch_up(&mut self) -> Result<()> {
        let steps = std::mem::take(&mut self.owed);
        if !self.settings.case.changes() {
            return self.engine.run(steps);
        }
        for number in self.now.number - steps..self.now.number {
            if self.settings.case.prescribes() {
                // What leaves a cell is half a step under way when it meets a wall.
                self.engine.prescribe(self.settings.time(number) + 0.5 * self.settings.dt)?;
            }
            self.engine.run(1)?;
            self.push(number + 1);
        }
        Ok(())
    }

    /// Gives the engine the force after so many steps: half of it counts in the velocity then, and all of it acts in the
    /// next step.
    fn push(&mut self, steps: u64) {
        if let Some(force) = &self.settings.case.changing_force {
            self.engine.push(self.settings.force(force.at(self.settings.time(steps))));
        }
    }

    /// Looks at the flow of all ranks.
    fn mass_and_change(&mut self) -> Result<MassAndChange> {
        self.catch_up()?;
        let mut mass_and_change = self.engine.mass_and_change()?;
        let MassAndChange { change, square, deviation, scalar_change, .. } = &mut mass_and_change;
        let mut most = [*change, *square, *deviation, *scalar_change];
        self.ranks.max(&mut most)?;
        [*change, *square, *deviation, *scalar_change] = most;
        self.fastest = self.fastest.max(mass_and_change.square.sqrt());
        self.deviation = self.deviation.max(mass_and_change.deviation);
        mass_and_change.density_deviation =
            self.ranks.sum_exact(mass_and_change.density_deviation)?;
        Ok(mass_and_change)
    }

    /// A scalar at the centres of some rows of own cells, in SI units.
    pub(crate) fn scalar(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        self.catch_up()?;
        self.engine.scalar(quantity, rows)
    }

    /// Velocity or pressure at the centres of some rows of own cells, one after the other, in SI units.
    pub(crate) fn field(&mut self, quantity: Quantity, rows: RowBlock) -> Result<Field> {
        self.catch_up()?;
        let is_pressure = quantity == Quantity::Pressure;
        let known = self.pressure.take().filter(|(of, _)| is_pressure && *of == rows);
        if let Some((_, pressure)) = known {
            return Ok(pressure);
        }
        let [velocity, pressure] = self.engine.fields(&rows)?;
        if is_pressure {
            return Ok(pressure);
        }
        self.pressure = Some((rows, pressure));
        Ok(velocity)
    }

    /// Velocity at the centres of some rows of own cells, perhaps still on its way from a device.
    pub(crate) fn velocity_later(&mut self, rows: Range<usize>) -> Result<FieldLater> {
        self.catch_up()?;
        self.engine.velocity_later(&rows.into())
    }

    /// Its flow as one that is mixed where it lies, if it can be.
    pub(crate) fn rounds(&mut self) -> Option<Box<dyn Rounds + '_>> {
        self.engine.rounds()
    }

    /// The forces on the case's bodies, as of the last step.
    pub(crate) fn forces(&mut self) -> Result<Vec<SurfaceForce>> {
        self.catch_up()?;
        self.engine.forces()
    }

    /// The heat that faces whose flux is not given let in, as of the last step.
    pub(crate) fn wall_heat(&mut self) -> Result<Option<FaceFluxes>> {
        self.catch_up()?;
        let Self { settings, part, ranks, engine, .. } = self;
        let Some(came) = engine.wall_heat()? else { return Ok(None) };
        let carried = Heat::carried_out((&settings.case, part), &**ranks, |quantity, rows| {
            if quantity == Quantity::Temperature {
                return engine.scalar(quantity, rows);
            }
            engine.fields(&rows.into()).map(|[velocity, _]| velocity)
        })?;
        let both = |d: usize| [0, 1].map(|side| came[d][side] + carried[d][side]);
        Ok(Some(std::array::from_fn(both)))
    }

    /// The heat that bodies and solid boxes let in, as of the last step.
    pub(crate) fn body_heat(&mut self) -> Result<Vec<f64>> {
        self.catch_up()?;
        self.engine.body_heat()
    }

    /// Waits until all steps are done.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.catch_up()?;
        self.engine.finish()
    }

    /// How much mass was won or lost since the beginning, as a share; solid cells count as fluid.
    pub(crate) fn mass_drift(&mut self) -> Result<f64> {
        let now = self.mass_and_change()?.density_deviation;
        let change = (now - self.density_deviation) as f64 / DEVIATION_UNITS;
        Ok(change / self.settings.case.grid.n_cells() as f64)
    }

    /// The Mach number of the fastest cell, and by how much the density has differed from one, at any
    /// look.
    pub(crate) fn compressibility(&self) -> [f64; 2] {
        [self.fastest / SOUND_SQUARED.sqrt(), self.deviation]
    }

    /// The complete state.
    pub(crate) fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.catch_up()?;
        self.now.save(state);
        state.numbers([
            ("excess", self.density_deviation as f64),
            ("fastest", self.fastest),
            ("deviation", self.deviation),
        ]);
        if self.settings.has_cycles {
            state.number(STEP, self.settings.dt);
        }
        self.settling.save(state);
        self.engine.save(state)
    }

    /// Goes on from a saved state.
    pub(crate) fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        let now = Step::saved(state)?;
        let (saved, dt) = (state.number_or(STEP, now.dt), self.settings.dt);
        if saved != dt {
            let problem = format!("its time step is {saved:e} s, this run's {dt:e} s");
            let remedy = "restart from a checkpoint of the same case, method and [lbm] table";
            return Err(Error::case("restart", problem, remedy));
        }
        self.density_deviation = state.number("excess")? as i128;
        (self.fastest, self.deviation) = (state.number("fastest")?, state.number("deviation")?);
        (self.owed, self.pressure) = (0, None);
        self.engine.restore(state)?;
        self.now = now;
        self.push(now.number);
        self.settling.restore(state, &mut self.now)?;
        Ok(())
    }
}

fn of_lattice<T: Packed, P: Population<T>>(
    case: &Case,
    context: &Context,
    settings: &Settings,
) -> Result<Box<dyn Engine>> {
    // The unit tests of this crate need few engines, and each takes long to compile.
    if const { cfg!(test) && size_of::<P>() != 8 } {
        unreachable!("unit tests calculate in double precision");
    }
    match settings.velocities {
        #[cfg(not(test))]
        9 => engine::<9, T, P>(case, context, settings),
        #[cfg(not(test))]
        15 => engine::<15, T, P>(case, context, settings),
        #[cfg(not(test))]
        27 => engine::<27, T, P>(case, context, settings),
        _ => engine::<19, T, P>(case, context, settings),
    }
}

fn engine<const Q: usize, T: Packed, P: Population<T>>(
    case: &Case,
    context: &Context,
    settings: &Settings,
) -> Result<Box<dyn Engine>> {
    if settings.streaming == Streaming::TwoLattice {
        expect_processor(case)?;
        return Ok(Box::new(Pull::<Q, T, P>::new(case, context, settings)?));
    }
    Ok(match Gpu::for_case(case, context)? {
        Some(gpu) => Box::new(OnGpu::<Q, T, P>::with_coarser(&gpu, case, context, settings)?),
        // One lattice has them, in numbers as they are calculated with.
        None if const { Q == moments::VELOCITIES && size_of::<P>() == size_of::<T>() }
            && settings.storage == Storage::Moments =>
        {
            Box::new(MomentsOnCpu::<T, P>::new(case, context, settings)?)
        }
        None => Box::new(Cpu::<Q, T, P>::with_coarser(case, context, settings)?),
    })
}

/// Refuses a GPU that was asked for by name; if the choice is open the processor serves.
fn expect_processor(case: &Case) -> Result<()> {
    if !case.run.device.name_a_gpu() {
        return Ok(());
    }
    Err(Error::Unsupported {
        method: NAME,
        key: "lbm.streaming".into(),
        problem: "has `two-lattice` on the processor only".into(),
        remedy:
            "set lbm.streaming = \"in-place\", which gives the same bits, or use `--device cpu`"
                .into(),
    })
}
