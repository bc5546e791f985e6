//! Staggered finite differences with explicit Euler steps and red-black SOR: the scheme of Griebel,
//! Dornseifer and Neunhoeffer (1998) as used by Menenguci et al. (2011), in the plane and in space.
//!
//! [`METHOD`] is its entry in the registry. The time step stands in `step.rs`, its equations in
//! docs/src/theory/fdm.md.

mod colours;
mod cpu;
mod engine;
mod gpu;
mod limits;
mod march;
mod options;
mod relaxation;
mod report;
mod settings;
mod squares;
mod state;
mod stencil;
mod step;
mod suitability;
mod team;
mod walls;
mod worker;

use vortice_core::{
    Case, Context, Cost, Field, Method, Precision, Quantity, Result, Solver, State, Step,
};

use crate::march::Moment;
use crate::settings::Settings;
use crate::worker::Worker;

pub use options::{Auto, Choice, Count, Kernel, Optimal, Options, Phases, Stop};

/// Entry of the registry.
pub const METHOD: Method = Method {
    name: "fdm",
    about: "Staggered finite differences, explicit Euler, red-black SOR (Griebel et al. 1998)",
    check: report::check,
    when_it_diverges: "a smaller time step (`fdm.dt` or `fdm.safety`)",
    build,
};

/// The solver of one rank.
struct Fdm {
    settings: Settings,
    worker: Worker,
    cost: Cost,
    now: Moment,
}

fn build(case: &Case, context: &Context) -> Result<Box<dyn Solver>> {
    suitability::check(case)?;
    let settings = Settings::of(case)?;
    let worker = match case.run.precision {
        Precision::F32 => Worker::new::<f32>(case, context, &settings)?,
        Precision::F64 => Worker::new::<f64>(case, context, &settings)?,
    };
    let step = Step { residual: f64::INFINITY, ..Step::default() };
    let now = Moment { step, speed: worker.speed()? };
    Ok(Box::new(Fdm { cost: report::cost(case), settings, worker, now }))
}

impl Solver for Fdm {
    fn now(&self) -> Step {
        self.now.step
    }

    fn step(&mut self, latest: f64) -> Result<Step> {
        self.now = self.worker.step(&self.settings, &self.now, latest)?;
        Ok(self.now.step)
    }

    fn field(&self, quantity: Quantity) -> Result<Field> {
        match quantity {
            Quantity::Velocity | Quantity::Pressure => self.worker.field(quantity),
            Quantity::Vorticity | Quantity::StreamFunction => Err(quantity.is_derived(METHOD.name)),
        }
    }

    fn save(&self) -> Result<State> {
        let mut state = State::default();
        let Step { number, time, dt, iterations, residual } = self.now.step;
        let numbers = [
            ("step", number as f64),
            ("time", time),
            ("dt", dt),
            ("iterations", iterations as f64),
            ("residual", residual),
            ("speed-x", self.now.speed[0]),
            ("speed-y", self.now.speed[1]),
            ("speed-z", self.now.speed[2]),
        ];
        state.numbers.extend(numbers.map(|(name, value)| (name.to_string(), value)));
        self.worker.save(&mut state)?;
        Ok(state)
    }

    fn restore(&mut self, state: &State) -> Result<()> {
        let number = |name: &str| state.number(name);
        self.now.step = Step {
            number: number("step")? as u64,
            time: number("time")?,
            dt: number("dt")?,
            iterations: number("iterations")? as u64,
            residual: number("residual")?,
        };
        self.now.speed = [number("speed-x")?, number("speed-y")?, number("speed-z")?];
        self.worker.restore(state)
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}
