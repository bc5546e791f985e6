//! The engine for CUDA: the verbs of the method as launches, with the bits of the processor's engine.

mod bodies;
mod boundary;
mod carried;
mod coarser;
mod cycles;
mod device;
mod exchange;
mod fields;
mod forced;
pub(crate) mod margins;
mod numbers;
mod operation;
mod outlet;
mod pressure;
mod program;
mod relax_tile;
mod rounds;
mod scalars;
mod solver;
mod transported;
mod velocity;
mod work;

use std::ops::Range;

use vortice_core::{
    Boundaries, Case, Context, Field, FieldLater, Location, Quantity, Real, Result, Rounds, Shape,
    StateReader, StateWriter, Storable, SurfaceForce,
};
use vortice_gpu::{DeviceForces, DeviceRounds, Sender};
use vortice_linear::PressureSolver;

use crate::boundary::{FaceCounts, Walls, fix_component};
use crate::coarser::{Finer, Grid, coarser};
use crate::colours::Colours;
use crate::engine::{Engine, Motion, Norm, Residual};
use crate::forces::{ForceSide, ForceSides};
use crate::initial::{self, InitialState};
use crate::options::NAME;
use crate::settings::Settings;
use crate::state::{self, Saved};
use device::Device;
use numbers::{CHANGE, Interval, PRESSURE_CHANGE, SPEED};
use operation::Operation;
use solver::Solver;
use transported::Transported;
use work::Work;

pub(crate) use program::definitions;

/// Iterations that are one operation at most: a graph does not grow beyond that.
const LONGEST: u32 = 50;

/// Rows of one colour begin at multiples of so many values: what the 32 threads of a warp read
/// together then lies together.
const ALIGNMENT: usize = 32;

/// Fields of one subdomain on a device, and the operations that are not done yet.
pub(crate) struct Gpu<T> {
    work: Work<T>,
    shape: Shape,
    colours: Colours,
    directions: usize,
    spacing: [f64; 3],
    density: f64,
    /// Flow cells of the whole grid.
    flow_cells: usize,
    /// Where velocities that change with time come from.
    boundaries: Boundaries,
    /// Boundary values.
    walls: Walls<T>,
    /// Body force in this step, in m/s2.
    force: [f64; 3],
    /// Share of the donor cell in this step.
    gamma: f64,
    /// Weights of the rates of change in this step, if they are kept.
    weights: Option<[f64; 2]>,
    /// Once forces have been asked for.
    forces: Option<DeviceForces<ForceSide>>,
    sender: Sender,
    /// The next coarser grid of cycles.
    coarser: Option<Box<Self>>,
    velocity_scale: f64,
    rounds: DeviceRounds<T>,
}

impl<T: Real> Gpu<T> {
    /// The engine of one rank on a device, with the case's initial flow and the boundary values of a finer grid, if there is
    /// one; and with all coarser grids.
    ///
    /// # Errors
    /// If the ranks do not fit the grid, or the device or its memory will not do.
    pub(crate) fn new(
        gpu: &vortice_gpu::Gpu,
        (case, context, settings): (&Case, &Context, &Settings),
        finer: Option<&Finer<'_, T>>,
    ) -> Result<Self> {
        let shape = initial::shape(case, &context.subdomain(case)?);
        let plan = match settings.solver {
            Some(_) => None,
            None => relax_tile::plan_of_all::<T>(gpu, case, context, settings.kernel)?,
        };
        let room = fields::expect_room::<T>(gpu, case, settings, &shape, plan.is_some());
        let initial_state = InitialState::<T>::new(case, context, settings, finer)?;
        // Only now: the other ranks asked this one for halos of the initial flow.
        room?;
        let colours = Colours::new(shape, &initial_state.part).aligned(ALIGNMENT);
        let walls = initial_state.walls.clone();
        let mut device = Device::new(gpu, case, context, settings, &colours, initial_state, plan)?;
        device.mirror()?;
        let coarser = match coarser(case, context, settings, &context.decomposition(case)?)? {
            Some(Grid { case, context, settings }) => {
                let finer = Finer { shape, walls: &walls };
                let grid = (&case, &context, &settings);
                Some(Box::new(Self::new(gpu, grid, Some(&finer))?))
            }
            None => None,
        };
        Ok(Self {
            coarser,
            work: Work::new(device),
            shape,
            colours,
            directions: settings.directions,
            spacing: settings.spacing,
            density: case.density,
            flow_cells: case.grid.n_cells() - case.solids().count(),
            boundaries: case.boundaries.clone(),
            walls,
            force: case.force,
            gamma: 0.0,
            weights: None,
            forces: None,
            sender: Sender::new(gpu),
            velocity_scale: settings.velocity_scale,
            rounds: DeviceRounds::new(gpu),
        })
    }

    /// Tells the device the numbers of the time step.
    fn set_interval(&mut self, dt: f64) -> Result<()> {
        let buoyancies = self.work.device.scalars.iter().map(|scalar| scalar.buoyancy);
        // Only heat has one.
        let buoyancy = buoyancies.fold([0.0; 3], |sum, b| std::array::from_fn(|d| sum[d] + b[d]));
        let steps = (self.gamma, self.weights);
        let interval = Interval::new(self.spacing, dt, [self.force, buoyancy], steps);
        self.work.set_interval(interval)
    }

    fn record(&mut self, operation: Operation) -> Result<()> {
        self.work.record(operation)
    }
}

impl<T: Storable> Engine for Gpu<T> {
    fn meet_bodies(&mut self) -> Result<()> {
        self.force_bodies()
    }

    fn push(&mut self, force: [f64; 3]) {
        self.force = force;
    }

    fn prescribe(&mut self, time: f64) -> Result<()> {
        if !self.boundaries.change() {
            return Ok(());
        }
        self.boundaries.set_time(time);
        self.walls.follow(&self.boundaries)?;
        // What is pending belongs to the time before.
        self.work.flush()?;
        let device = &mut self.work.device;
        device.fixed.write(&self.walls.fixed)?;
        device.ghosts.write(&self.walls.ghosts)
    }

    fn prescribe_scalars(&mut self, time: f64) -> Result<()> {
        if !self.work.device.scalars.iter().any(|scalar| scalar.changes) {
            return Ok(());
        }
        // What is pending belongs to the time before.
        self.work.flush()?;
        self.work.device.scalars.iter_mut().try_for_each(|scalar| scalar.prescribe(time))
    }

    fn carry_scalars(&mut self, dt: f64) -> Result<()> {
        if self.work.device.scalars.is_empty() {
            return Ok(());
        }
        self.set_interval(dt)?;
        self.record(Operation::CarryScalars)
    }

    fn predict(&mut self, dt: f64, gamma: f64, weights: Option<[f64; 2]>) -> Result<()> {
        (self.gamma, self.weights) = (gamma, weights);
        self.set_interval(dt)?;
        self.record(Operation::Predict { keeps_rates: weights.is_some() })
    }

    fn carry_out(&mut self, dt: f64) -> Result<()> {
        self.carry_out_through(dt)
    }

    fn divergence(&mut self, dt: f64) -> Result<()> {
        self.set_interval(dt)?;
        self.record(Operation::Divergence)
    }

    fn relax(&mut self, omega: f64, iterations: u32) -> Result<()> {
        let omega = omega.to_bits();
        let mut left = iterations;
        while left > LONGEST {
            self.record(Operation::Relax { omega, iterations: LONGEST })?;
            self.work.flush()?;
            left -= LONGEST;
        }
        if left == 0 { Ok(()) } else { self.record(Operation::Relax { omega, iterations: left }) }
    }

    fn relax_and_measure(&mut self, omega: f64) -> Result<f64> {
        self.record(Operation::RelaxAndMeasure { omega: omega.to_bits() })?;
        let work = &mut self.work;
        let mut largest = [work.reductions()?[PRESSURE_CHANGE]];
        work.device.ranks.max(&mut largest)?;
        Ok(largest[0])
    }

    fn solve(&mut self, how: PressureSolver) -> Result<u64> {
        let solver = self.work.device.solver.as_ref();
        if let PressureSolver::Cycles(count) = how
            && solver.is_some_and(Solver::stays_on_device)
        {
            return self.record(Operation::Cycles { count }).map(|()| count.into());
        }
        self.work.flush()?;
        self.work.device.solve(how)
    }

    fn residual(&mut self, norm: Norm) -> Result<Residual> {
        self.pressure_residual(norm)
    }

    fn project(&mut self, dt: f64) -> Result<Motion> {
        self.set_interval(dt)?;
        self.record(Operation::Project)?;
        let work = &mut self.work;
        let reductions = work.reductions()?;
        let changes = work.device.scalars.iter().map(Transported::change);
        let scalar_change = changes.collect::<Result<Vec<_>>>()?;
        let scalar_change = scalar_change.into_iter().fold(0.0, f64::max_magnitude);
        let speed = |d: usize| reductions[SPEED + d];
        let mut motion = [speed(0), speed(1), speed(2), reductions[CHANGE], scalar_change];
        work.device.ranks.max(&mut motion)?;
        let [x, y, z, change, scalar_change] = motion;
        Ok(Motion { speed: [x, y, z], change, scalar_change })
    }

    fn correct(&mut self, dt: f64) -> Result<()> {
        self.set_interval(dt)?;
        self.record(Operation::Project)?;
        // A step after the other is the same sequence again.
        self.work.flush()
    }

    fn coarser(&mut self) -> Option<&mut dyn Engine> {
        self.coarser.as_deref_mut().map(|coarser| coarser as &mut dyn Engine)
    }

    fn begin(&mut self) -> Result<()> {
        self.begin_visit()
    }

    fn ask(&mut self, dt: f64) -> Result<()> {
        self.ask_for(dt)
    }

    fn ask_less(&mut self, dt: f64) -> Result<()> {
        self.ask_for_less(dt)
    }

    fn add_asked(&mut self, dt: f64) -> Result<()> {
        self.set_interval(dt)?;
        self.record(Operation::AddAsked)
    }

    fn keep(&mut self) -> Result<()> {
        self.keep_velocity()
    }

    fn restrict(&mut self, dt: f64) -> Result<()> {
        self.restrict_flow(dt)
    }

    fn prolong(&mut self) -> Result<()> {
        self.prolong_correction()
    }

    fn end(&mut self) -> Result<f64> {
        self.end_visit()
    }

    fn rounds(&mut self) -> Option<Box<dyn Rounds + '_>> {
        self.rounds_on_device()
    }

    fn body_faces(&self) -> FaceCounts {
        self.work.device.forced.counts
    }

    fn speed(&mut self) -> Result<[f64; 3]> {
        let work = &mut self.work;
        work.flush()?;
        let u = work.device.fields.read_velocity(self.directions)?;
        let mut found = state::largest_speeds(self.shape, &u);
        work.device.ranks.max(&mut found)?;
        Ok(found)
    }

    fn field(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        let (work, shape) = (&mut self.work, self.shape);
        work.flush()?;
        let fields = &work.device.fields;
        Ok(match quantity {
            Quantity::Temperature | Quantity::Scalar(_) => {
                let scalar = work.device.scalars.iter().find(|one| one.quantity == quantity);
                scalar.ok_or_else(|| quantity.is_derived(NAME))?.field(rows)?
            }
            Quantity::Pressure => {
                let (p, first) = fields.read_pressure_of(&self.colours, &shape, &rows)?;
                state::pressure_at_centres(shape, rows, self.density, &p[first..])
            }
            _ => {
                let u = fields.read_velocity_of(self.directions, &shape, &rows)?;
                let u: Vec<_> = u.iter().map(Vec::as_slice).collect();
                state::velocity_at_centres(shape, rows, &u)
            }
        })
    }

    fn velocity_later(&mut self, rows: Range<usize>) -> Result<FieldLater> {
        self.work.flush()?;
        let shape = self.shape;
        let pieces = self.work.device.fields.velocity_of(self.directions, &shape, &rows);
        let Some(sent) = self.sender.send(&pieces)? else {
            return self.field(Quantity::Velocity, rows).map(FieldLater::from);
        };
        Ok(state::velocity_of(sent, shape, rows))
    }

    fn forces(&mut self, sides: &ForceSides, gamma: f64) -> Result<Vec<SurfaceForce>> {
        self.forces_on(sides, gamma)
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        let work = &mut self.work;
        work.flush()?;
        let fields = &work.device.fields;
        state::save(state, self.shape, [self.directions, fields.keeps_rates], |of| match of {
            Saved::Pressure => fields.read_pressure(&self.colours, &self.shape),
            Saved::Velocity(a) => fields.u[a].to_vec(),
            Saved::Rate(a) => fields.rates[a].to_vec(),
        })?;
        work.device.scalars.iter().try_for_each(|scalar| {
            let form = (Location::Centre, scalar.shape, 1);
            state.components(&scalar.saved, form, |_| scalar.theta.to_vec())
        })
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        let work = &mut self.work;
        work.flush()?;
        let device = &mut work.device;
        let p = state::saved(state, Saved::Pressure, self.shape)?;
        device.fields.write_pressure(&self.colours, &p)?;
        for (a, u) in device.fields.u.iter_mut().take(self.directions).enumerate() {
            let mut values = state::saved(state, Saved::Velocity(a), self.shape)?;
            fix_component(&self.walls.fixed, a, &mut values);
            u.write(&values)?;
        }
        for (a, rate) in device.fields.kept_rates().iter_mut().enumerate() {
            rate.write(&state::saved(state, Saved::Rate(a), self.shape)?)?;
        }
        let Device { scalars, kernels, ranks, .. } = device;
        for scalar in scalars {
            scalar.theta.write(&state.scalar(&scalar.saved, scalar.shape)?)?;
            scalar.complete(kernels, &**ranks)?;
        }
        device.complete_pressure()?;
        device.complete_velocity()
    }
}
