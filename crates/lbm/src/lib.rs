//! The lattice Boltzmann method on D2Q9, D3Q15, D3Q19 and D3Q27, in place by Esoteric-Pull (Lehmann
//! 2022), with half-way bounce-back.
//!
//! [`METHOD`] is its entry in the registry. The time step stands in `step.rs`, its equations in
//! docs/src/theory/lbm.md and heat.md.
//! What returns a `Result` fails if a rank has stopped or a device fails; where it fails otherwise, it says so.

mod boundary;
mod coarser;
mod collide;
mod cpu;
mod cycle;
mod engine;
mod exchange;
mod forces;
mod foresee;
mod gpu;
mod heat;
mod initial;
mod interpolated;
mod lattice;
mod layout;
mod leak;
#[cfg(test)]
mod leaving_vortices;
mod links;
mod moments;
mod number;
#[cfg(test)]
mod open_faces;
mod options;
mod population;
mod pull;
mod report;
mod settings;
mod slots;
mod stability;
mod state;
mod step;
mod suitability;
mod view;
mod wall_slope;
mod watch;
mod worker;
mod worth_sharing;

use std::ops::Range;

use vortice_core::{
    Case, Context, Cost, Field, FieldLater, Method, Quantity, Result, Rounds, RowBlock, Solver,
    StateReader, StateWriter, Step, SurfaceFluxes, SurfaceForce, by_layers,
};

use crate::options::NAME;
use crate::settings::Settings;
use crate::worker::Worker;

pub use options::{CollisionName, LatticeName, MomentRates, Options, Storage, Streaming};

/// Entry of the registry.
pub const METHOD: Method = Method {
    name: NAME,
    about: "Lattice Boltzmann in place, half-way bounce-back (d'Humieres et al. 2002, Lehmann 2022)",
    check: report::check,
    when_it_diverges: report::when_it_diverges,
    wall_slope: |case| Ok(Settings::of(case)?.wall_slope()),
    told_options: |case| {
        let Options { threads, cells_per_thread, .. } = Options::default();
        Ok(format!("{:?}", Options { threads, cells_per_thread, ..Options::of(case)? }))
    },
    halvings: coarser::halvings,
    tells_forces: true,
    carries_heat: true,
    build,
};

/// The solver of one rank.
struct Lbm {
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
    suitability::check(case)?;
    let worker = Worker::new(case, context)?;
    let cells = context.subdomain(case)?.n();
    Ok(Box::new(Lbm { cost: report::cost(case, worker.settings()), cells, worker }))
}

impl Solver for Lbm {
    fn now(&self) -> Step {
        self.worker.now()
    }

    fn step(&mut self, _latest: f64) -> Result<Step> {
        self.worker.step()
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
            Quantity::Velocity | Quantity::Pressure => self.worker.field(quantity, rows.into()),
            Quantity::Temperature | Quantity::Scalar(_) => self.worker.scalar(quantity, rows),
            _ => Err(quantity.is_derived(NAME)),
        }
    }

    fn block(&mut self, quantity: Quantity, rows: &RowBlock) -> Result<Field> {
        if !matches!(quantity, Quantity::Velocity | Quantity::Pressure) {
            return by_layers(rows, |of_layer| self.rows(quantity, of_layer));
        }
        let field = self.worker.field(quantity, rows.clone())?;
        let n = field.shape.cells[0];
        Ok(field.with_cells([n, rows.of_layer.len(), rows.layers]))
    }

    fn forces(&mut self) -> Result<Vec<SurfaceForce>> {
        self.worker.forces()
    }

    fn surface_fluxes(&mut self) -> Result<SurfaceFluxes> {
        let (heat, bodies) = (self.worker.wall_heat()?, self.worker.body_heat()?);
        Ok(SurfaceFluxes { heat, bodies, ..SurfaceFluxes::default() })
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.worker.save(state)
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.worker.restore(state)
    }

    fn is_mixed(&self, field: &str) -> bool {
        !self.worker.settings().has_cycles || field == state::POPULATIONS
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

    fn findings(&mut self) -> Result<Vec<(String, f64)>> {
        let worker = &mut self.worker;
        let drift = worker.mass_drift()?;
        let [mach, deviation] = worker.compressibility();
        let named =
            [("mass drift", drift), ("Mach number", mach), ("density deviation", deviation)];
        Ok(named.map(|(name, value)| (name.to_string(), value)).to_vec())
    }

    fn warnings(&self) -> Vec<String> {
        let worker = &self.worker;
        report::compressible(worker.settings(), worker.compressibility())
    }
}
