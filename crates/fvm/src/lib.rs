//! Finite volumes on a collocated grid: SIMPLE and SIMPLEC with Rhie and Chow's interpolation, after
//! Patankar (1980) and Ferziger and Peric (2002), as used by Benitez, D'Elia and Storti (2018).
//!
//! [`METHOD`] is its entry in the registry. The outer iteration stands in `step.rs`, its equations in
//! docs/src/theory/fvm.md.
//! What returns a `Result` fails if a rank has stopped or a device fails; where it fails otherwise, it says so.

mod body_faces;
mod boundary;
mod carried;
mod coarser;
mod cpu;
mod engine;
mod equation;
mod fluid;
mod forces;
mod gpu;
mod matrix;
mod options;
mod report;
mod scalar;
mod settings;
mod state;
mod stencil;
mod step;
mod worker;

use std::ops::Range;

use vortice_core::{
    Case, Context, Cost, Field, FieldLater, Method, Quantity, Result, Rounds, Solver, StateReader,
    StateWriter, Step, SurfaceFluxes, SurfaceForce, WallSlope,
};

use crate::options::NAME;
use crate::worker::Worker;

pub use equation::Equation;
pub use matrix::matrix;
pub use vortice_linear::{Criterion, PressureSolver};

pub use options::{
    Auto, Choice, Convection, Coupling, Measure, Momentum, Options, ScalarConvection, TimeScheme,
};

/// Entry of the registry.
pub const METHOD: Method = Method {
    name: NAME,
    about: "Collocated finite volumes, SIMPLE with multigrid (Patankar 1980, Benitez et al. 2018)",
    check: report::check,
    when_it_diverges: report::when_it_diverges,
    // Half a cell to the wall: 2 nu / h^2 (u_b - u_P).
    wall_slope: |_| Ok(WallSlope::MIRRORED),
    told_options: |case| Ok(format!("{:?}", Options::of(case)?)),
    halvings: |case| match Options::of(case) {
        Ok(options) if options.has_cycles() => case.halvings(),
        _ => 0,
    },
    tells_forces: true,
    carries_heat: true,
    build,
};

/// The solver of one rank.
struct Fvm {
    worker: Worker,
    /// Own cells.
    cells: [usize; 3],
    cost: Cost,
}

fn build(case: &Case, context: &Context) -> Result<Box<dyn Solver>> {
    Options::of(case)?.shortcuts().build(build_one, case, context)
}

/// The solver of one grid.
fn build_one(case: &Case, context: &Context) -> Result<Box<dyn Solver>> {
    report::suitable(case)?;
    let worker = Worker::new(case, context)?;
    let cells = context.subdomain(case)?.n();
    Ok(Box::new(Fvm { cost: report::cost(case), cells, worker }))
}

impl Solver for Fvm {
    fn now(&self) -> Step {
        self.worker.now()
    }

    fn step(&mut self, latest: f64) -> Result<Step> {
        self.worker.step(latest)
    }

    fn is_ahead(&self) -> bool {
        self.worker.is_between_looks()
    }

    fn field(&mut self, quantity: Quantity) -> Result<Field> {
        let cells = self.cells;
        self.rows(quantity, 0..cells[1] * cells[2]).map(|field| field.with_cells(cells))
    }

    fn velocity_later(&mut self, rows: Range<usize>) -> Result<FieldLater> {
        self.worker.velocity_later(rows)
    }

    fn rows(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        match quantity {
            Quantity::Velocity | Quantity::Pressure => self.worker.field(quantity, rows),
            _ if self.worker.case().carried_as(quantity).is_some() => {
                self.worker.field(quantity, rows)
            }
            _ => Err(quantity.is_derived(NAME)),
        }
    }

    fn forces(&mut self) -> Result<Vec<SurfaceForce>> {
        self.worker.forces()
    }

    fn surface_fluxes(&mut self) -> Result<SurfaceFluxes> {
        self.worker.surface_fluxes()
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.worker.save(state)
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.worker.restore(state)
    }

    fn is_mixed(&self, field: &str) -> bool {
        state::is_now(field)
    }

    fn rounds(&mut self) -> Option<Box<dyn Rounds + '_>> {
        self.worker.rounds()
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    fn finish(&mut self) -> Result<()> {
        self.worker.finish()
    }
}
