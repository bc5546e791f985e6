//! Staggered finite differences with explicit steps and red-black SOR: the scheme of Griebel,
//! Dornseifer and Neunhoeffer (1998) as used by Menenguci et al. (2011), in the plane and in space, with
//! steps by Euler or by Adams and Bashforth.
//!
//! [`METHOD`] is its entry in the registry. The time step stands in `step.rs`, its equations in
//! docs/src/theory/fdm.md.
//! What returns a `Result` fails if a rank has stopped or a device fails; where it fails otherwise, it says so.

mod boundary;
mod coarser;
mod colours;
mod cost;
mod cpu;
mod cycle;
mod engine;
mod forces;
mod gpu;
mod initial;
mod limits;
mod multigrid;
mod options;
mod relaxation;
mod report;
mod resident;
mod scalar;
mod settings;
mod squares;
mod state;
mod stencil;
mod step;
mod step_state;
mod suitability;
mod worker;

use std::ops::Range;
use std::sync::Arc;

use vortice_core::{
    Case, Communicator, Context, Cost, Field, FieldLater, Method, Precision, Quantity, Real,
    Result, Rounds, Settling, Solver, StateReader, StateWriter, Step, Subdomain, SurfaceFluxes,
    SurfaceForce, WallSlope,
};

use crate::boundary::Covered;
use crate::cycle::{Improved, ON_FINEST};
use crate::forces::ForceSides;
use crate::limits::Limits;
use crate::options::NAME;
use crate::settings::Settings;
use crate::step_state::StepState;
use crate::worker::Worker;

pub use options::{Auto, Choice, Count, Kernel, Optimal, Options, Phases, Stop, TimeScheme};

/// Entry of the registry.
pub const METHOD: Method = Method {
    name: NAME,
    about: "Staggered finite differences, explicit steps, red-black SOR (Griebel et al. 1998)",
    check: report::check,
    when_it_diverges: report::when_it_diverges,
    // Ghost values mirror the cells beside a wall.
    wall_slope: |_| Ok(WallSlope::MIRRORED),
    told_options: |case| {
        Ok(format!("{:?}", Options { kernel: Kernel::Auto, ..Options::of(case)? }))
    },
    halvings: coarser::halvings,
    tells_forces: true,
    carries_heat: true,
    build,
};

/// Changes, in units in the last place of the velocity scale, that rounding makes in a step: one for each
/// of the terms of the prediction and the projection.
const ROUNDING: f64 = 8.0;

/// The solver of one rank.
struct Fdm {
    settings: Settings,
    /// Of smoothing steps on all grids, the finest first, if steps are cycles; else none.
    grids: Vec<Settings>,
    worker: Worker,
    /// Own cells.
    cells: [usize; 3],
    /// If the flow gives their faces a velocity.
    bodies: Option<Covered>,
    cost: Cost,
    case: Case,
    part: Subdomain,
    ranks: Arc<dyn Communicator>,
    /// Once forces have been asked for.
    force_sides: Option<ForceSides>,
    now: StepState,
    settling: Settling,
    /// Change that rounding makes in a step, as a share of the velocity scale.
    rounding: f64,
}

fn build(case: &Case, context: &Context) -> Result<Box<dyn Solver>> {
    Options::of(case)?.shortcuts().build(build_one, case, context)
}

/// The solver of one grid.
fn build_one(case: &Case, context: &Context) -> Result<Box<dyn Solver>> {
    suitability::check(case)?;
    let settings = Settings::of(case)?;
    let mut worker = match case.run.precision {
        Precision::F32 => Worker::new::<f32>(case, context, &settings)?,
        Precision::F64 => Worker::new::<f64>(case, context, &settings)?,
    };
    let step = Step { residual: f64::INFINITY, ..Step::default() };
    let now = StepState { step, speed: worker.speed()?, ..StepState::default() };
    let settling = Settling::new(case);
    let rounding = ROUNDING
        * match case.run.precision {
            Precision::F32 => f64::from(f32::EPSILON),
            Precision::F64 => f64::EPSILON,
        };
    let cost = cost::cost(case, &settings);
    let grids = coarser::smoothing(case, &settings)?;
    let part = context.subdomain(case)?;
    let (cells, bodies) = (part.n(), Covered::new(case, &part));
    let (case, force_sides) = (case.clone(), None);
    Ok(Box::new(Fdm {
        case,
        part,
        ranks: context.ranks.clone(),
        force_sides,
        cost,
        settings,
        grids,
        worker,
        cells,
        bodies,
        now,
        settling,
        rounding,
    }))
}

impl Fdm {
    /// A cycle in place of a step.
    fn improve(&mut self) -> Result<Step> {
        let Improved { now, change } =
            self.worker.improve(&self.settings, &self.grids, &self.now)?;
        self.now = now;
        let asked = self.settling.asked(now.step.residual);
        let rounding = f64::from(ON_FINEST) * self.rounding;
        self.settling.add(change.max_magnitude(asked), rounding);
        self.settling.tell(&mut self.now.step);
        Ok(self.now.step)
    }
}

impl Solver for Fdm {
    fn now(&self) -> Step {
        self.now.step
    }

    fn step(&mut self, latest: f64) -> Result<Step> {
        if !self.grids.is_empty() {
            return self.improve();
        }
        self.now = self.worker.step(&self.settings, &self.now, latest)?;
        self.settling.follow(&mut self.now.step, self.rounding);
        Ok(self.now.step)
    }

    fn is_ahead(&self) -> bool {
        self.worker.is_ahead()
    }

    fn field(&mut self, quantity: Quantity) -> Result<Field> {
        let cells = self.cells;
        self.rows(quantity, 0..cells[1] * cells[2]).map(|field| field.with_cells(cells))
    }

    fn velocity_later(&mut self, rows: Range<usize>) -> Result<FieldLater> {
        let (later, bodies) = (self.worker.velocity_later(rows.clone())?, self.bodies.clone());
        Ok(later.then(move |mut velocity| {
            if let Some(bodies) = bodies {
                bodies.empty(&mut velocity, rows);
            }
            velocity
        }))
    }

    fn rows(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        match quantity {
            Quantity::Velocity => {
                let mut velocity = self.worker.field(quantity, rows.clone())?;
                if let Some(bodies) = &self.bodies {
                    bodies.empty(&mut velocity, rows);
                }
                Ok(velocity)
            }
            Quantity::Pressure => self.worker.field(quantity, rows),
            _ if self.case.carried_as(quantity).is_some() => self.worker.field(quantity, rows),
            _ => Err(quantity.is_derived(NAME)),
        }
    }

    fn forces(&mut self) -> Result<Vec<SurfaceForce>> {
        let Self { case, part, settings, worker, force_sides, .. } = self;
        let new = || ForceSides::new(case, part, initial::shape(case, part));
        let sides = force_sides.get_or_insert_with(new);
        let StepState { speed, step, .. } = self.now;
        sides.push = case.force_at(step.time);
        let gamma = Limits::of(settings, speed).donor_share(settings, step.dt);
        worker.forces(sides, gamma)
    }

    fn surface_fluxes(&mut self) -> Result<SurfaceFluxes> {
        let Self { case, part, ranks, worker, now, .. } = self;
        let here = (&*case, &*part, now.step.time);
        SurfaceFluxes::of(here, &**ranks, state::COMPONENTS, |state| worker.save(state))
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.now.save(state);
        self.settling.save(state);
        self.worker.save(state)
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.now = StepState::saved(state)?;
        self.settling.restore(state, &mut self.now.step)?;
        if !state::has_rates(state) {
            self.now.rates_age = 0.0;
        }
        self.worker.prescribe(self.now.step.time)?;
        self.worker.restore(state)
    }

    fn rounds(&mut self) -> Option<Box<dyn Rounds + '_>> {
        self.worker.rounds()
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    fn findings(&mut self) -> Result<Vec<(String, f64)>> {
        Ok(report::findings(&self.settings, &self.now, self.worker.body_faces()))
    }

    fn warnings(&self) -> Vec<String> {
        let [unsolved, unsteady] = [report::unsolved, report::unsteady];
        [unsolved(&self.settings, &self.now), unsteady(&self.settings, &self.now)]
            .into_iter()
            .flatten()
            .collect()
    }
}
