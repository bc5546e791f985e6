//! What a run needs of a method, and nothing of how it is done.

use std::ops::Range;

use crate::case::{Case, NamedMethod};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::field::{Field, Shape};
use crate::field_later::FieldLater;
use crate::quantity::Quantity;
use crate::rounds::Rounds;
use crate::row_block::{RowBlock, by_layers};
use crate::state::{State, StateReader, StateWriter};
use crate::step::Step;
use crate::surface_fluxes::SurfaceFluxes;
use crate::surface_force::SurfaceForce;
use crate::wall_slope::WallSlope;
#[cfg(doc)]
use crate::wetted::Surface;

/// What a method costs, for judging its speed against the memory's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Memory in bytes per cell.
    pub bytes_per_cell: f64,
    /// Bytes moved per cell by a step without inner iterations.
    pub bytes_per_step: f64,
    /// Bytes moved per cell by one inner iteration.
    pub bytes_per_iteration: f64,
}

/// A method at work on one subdomain.
pub trait Solver: Send {
    /// The state that the next step starts from; number 0 before the first.
    fn now(&self) -> Step;

    /// Does a part of what comes before the first step, and tells whether more of it is to come: a run may be stopped
    /// in between, as if it had not begun. A step does what is left of it. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    fn prepare(&mut self) -> Result<bool> {
        Ok(false)
    }

    /// Advances by one step whose end is not later than `latest` (flow time in s). A method whose steps
    /// all have the same length passes it by less than one.
    ///
    /// # Errors
    /// If a rank or device fails. Divergence is not an error here: the step's residual tells.
    fn step(&mut self, latest: f64) -> Result<Step>;

    /// Waits until all steps asked for are done; benchmarks call it before they look at the clock.
    ///
    /// # Errors
    /// If a rank or device fails.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }

    /// Whether there is such a quantity by now: of [`Quantity::STATISTICS`] only where samples are taken, from the
    /// first on. The same on all ranks.
    fn has(&self, quantity: Quantity) -> bool {
        quantity.sampled().is_none()
    }

    /// Whether a look at the flow now costs more than one some steps later: the next step is computed already and would have to
    /// be undone, or a device does several together.
    fn is_ahead(&self) -> bool {
        false
    }

    /// Velocity or pressure at the centres of own cells, in SI units, without halo. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    fn field(&mut self, quantity: Quantity) -> Result<Field>;

    /// The same of some rows along x, by their numbers j + n_y k: a field `[n_x, rows, 1]`. Collective; a rank
    /// that needs none asks for none. Of what a method can look at in part it needs no memory for the whole.
    ///
    /// # Errors
    /// If a rank or device fails.
    fn rows(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        let mut field = self.field(quantity)?;
        let Field { shape: Shape { cells: [n, ..], .. }, .. } = field;
        let (length, places) = (field.shape.len(), n * rows.start..n * rows.end);
        let components = (0..field.components).map(|c| c * length);
        field.values =
            components.flat_map(|at| field.values[at..][places.clone()].to_vec()).collect();
        field.shape.cells = [n, rows.len(), 1];
        Ok(field)
    }

    /// Velocity as [`Self::rows`] has it, with no need to wait until it is here: a device sends it while it works on. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    fn velocity_later(&mut self, rows: Range<usize>) -> Result<FieldLater> {
        self.rows(Quantity::Velocity, rows).map(FieldLater::from)
    }

    /// The same of some rows of several layers: a field `[n_x, rows of a layer, layers]`. A method that finds them at once
    /// need not be asked for each layer. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    fn block(&mut self, quantity: Quantity, rows: &RowBlock) -> Result<Field> {
        by_layers(rows, |of_layer| self.rows(quantity, of_layer))
    }

    /// The forces of the flow as it is on the surfaces of [`Surface::wetted`], from the method's own balance of momentum:
    /// the same bits on any number of ranks and on any device. Collective.
    ///
    /// # Errors
    /// If the method does not tell them, or a rank or device fails.
    fn forces(&mut self) -> Result<Vec<SurfaceForce>> {
        let problem = "is not told by this method";
        Err(Error::case("output.forces", problem, "leave it out, or take another method"))
    }

    /// What faces of the box, bodies and solid boxes let in by the method's own balances: the same bits on any number of ranks. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    fn surface_fluxes(&mut self) -> Result<SurfaceFluxes> {
        Ok(SurfaceFluxes::default())
    }

    /// Gives all that it needs to go on. Collective.
    ///
    /// # Errors
    /// If a rank or device fails, or what it is given to does.
    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()>;

    /// The same in memory.
    ///
    /// # Errors
    /// As [`Self::save`].
    fn state(&mut self) -> Result<State> {
        let mut state = State::default();
        self.save(&mut state)?;
        Ok(state)
    }

    /// Goes on from a saved state, bit for bit. Collective.
    ///
    /// # Errors
    /// If a number or field of the state is missing or of another precision, or cannot be read.
    fn restore(&mut self, state: &dyn StateReader) -> Result<()>;

    /// Whether a field of the state, by its name, is mixed where rounds are: not what only tells of the past.
    fn is_mixed(&self, _field: &str) -> bool {
        true
    }

    /// Its flow as one that is mixed where it lies, if it can be: fewer bytes are moved then.
    fn rounds(&mut self) -> Option<Box<dyn Rounds + '_>> {
        None
    }

    /// Memory and memory traffic.
    fn cost(&self) -> Cost;

    /// What else there is to say of the run at its end: name and value. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    fn findings(&mut self) -> Result<Vec<(String, f64)>> {
        Ok(Vec::new())
    }

    /// What makes the run worth less than it looks, in a sentence each with its remedy; empty if
    /// nothing does. Asked at its end, after the findings; the same on all ranks.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Verbs of a [`Solver`] that go through to another one, which a field holds.
macro_rules! through {
    ($solver:ident: $($verb:ident)*) => { $(through!(@$verb $solver);)* };
    (@now $solver:ident) => {
        fn now(&self) -> Step {
            self.$solver.now()
        }
    };
    (@prepare $solver:ident) => {
        fn prepare(&mut self) -> Result<bool> {
            self.$solver.prepare()
        }
    };
    (@finish $solver:ident) => {
        fn finish(&mut self) -> Result<()> {
            self.$solver.finish()
        }
    };
    (@has $solver:ident) => {
        fn has(&self, quantity: Quantity) -> bool {
            self.$solver.has(quantity)
        }
    };
    (@is_ahead $solver:ident) => {
        fn is_ahead(&self) -> bool {
            self.$solver.is_ahead()
        }
    };
    (@field $solver:ident) => {
        fn field(&mut self, quantity: Quantity) -> Result<Field> {
            self.$solver.field(quantity)
        }
    };
    (@velocity_later $solver:ident) => {
        fn velocity_later(&mut self, rows: Range<usize>) -> Result<FieldLater> {
            self.$solver.velocity_later(rows)
        }
    };
    (@rows $solver:ident) => {
        fn rows(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
            self.$solver.rows(quantity, rows)
        }
    };
    (@block $solver:ident) => {
        fn block(&mut self, quantity: Quantity, rows: &RowBlock) -> Result<Field> {
            self.$solver.block(quantity, rows)
        }
    };
    (@forces $solver:ident) => {
        fn forces(&mut self) -> Result<Vec<SurfaceForce>> {
            self.$solver.forces()
        }
    };
    (@surface_fluxes $solver:ident) => {
        fn surface_fluxes(&mut self) -> Result<SurfaceFluxes> {
            self.$solver.surface_fluxes()
        }
    };
    (@save $solver:ident) => {
        fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
            self.$solver.save(state)
        }
    };
    (@cost $solver:ident) => {
        fn cost(&self) -> Cost {
            self.$solver.cost()
        }
    };
    (@findings $solver:ident) => {
        fn findings(&mut self) -> Result<Vec<(String, f64)>> {
            self.$solver.findings()
        }
    };
    (@warnings $solver:ident) => {
        fn warnings(&self) -> Vec<String> {
            self.$solver.warnings()
        }
    };
}
pub(crate) use through;

/// A method's entry in the registry.
#[derive(Clone, Copy)]
pub struct Method {
    /// Name on the command line and of its table in the case file.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// What it says of a case, if it can do it; [`Method::report`] asks it.
    pub check: fn(&Case) -> Result<Report>,
    /// What to change in this case when its flow diverges: the rest of "set ...", with the keys. It is
    /// only asked of cases that `check` lets pass.
    pub when_it_diverges: fn(&Case) -> String,
    /// The slope of the velocity at walls, as the method's own equations have it; fails as `check`
    /// does.
    pub wall_slope: fn(&Case) -> Result<WallSlope>,
    /// Its options as text, also those that a case does not write: cases with the same text are computed alike. What
    /// only changes the speed is left out. Fails as `check` does.
    pub told_options: fn(&Case) -> Result<String>,
    /// How often its solvers halve the grid of a case, as [`Case::coarser`] does: no rank's part ends within a cell of the
    /// coarsest one.
    pub halvings: fn(&Case) -> u32,
    /// Whether its solvers tell the forces on bodies: [`Solver::forces`].
    pub tells_forces: bool,
    /// Whether it computes heat and scalars: [`Case::carried`].
    pub carries_heat: bool,
    /// Builds the solver of one rank.
    pub build: fn(&Case, &Context) -> Result<Box<dyn Solver>>,
}

impl Method {
    /// What a method is of which an entry says no more: it has no options, and of its name, its sentence and its solver all
    /// others speak. `Method { name, about, build, ..Method::PLAIN }` goes on to be a method when there are more fields.
    pub const PLAIN: Self = Self {
        name: "",
        about: "",
        check: |_| Ok(Report::default()),
        when_it_diverges: |_| "a shorter step".into(),
        wall_slope: |_| Ok(WallSlope::EXACT),
        told_options: |_| Ok(String::new()),
        halvings: |_| 0,
        tells_forces: false,
        carries_heat: false,
        build: |case, _| {
            let problem = format!("{} has no solver", case.run.method);
            Err(Error::case("run.method", problem, "give its entry a `build`"))
        },
    };

    /// Checks what can be checked without building: refuses what the method cannot do and returns derived numbers and
    /// warnings.
    ///
    /// # Errors
    /// If the method cannot do the case, with the key and a remedy.
    pub fn report(&self, case: &Case) -> Result<Report> {
        let carried = [
            (case.heat.is_some(), "heat", "does not compute heat"),
            (!case.scalars.is_empty(), "scalar", "does not compute scalars"),
        ];
        match carried.into_iter().find(|(is_there, ..)| *is_there && !self.carries_heat) {
            Some((_, key, problem)) => {
                let remedy = "change this key or take another method";
                Err(Error::unsupported(self.name, key, problem, remedy))
            }
            None => (self.check)(case),
        }
    }

    /// What a case must know of it.
    pub fn named(&self) -> NamedMethod {
        let Self { name, told_options, halvings, .. } = *self;
        NamedMethod { name, told_options, halvings }
    }

    /// What to do about a flow that is no longer finite.
    pub(crate) fn remedy(&self, case: &Case) -> String {
        format!("set {}, or take more cells (`grid.cells`)", (self.when_it_diverges)(case))
    }
}

/// What a method says of a case before it runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Derived numbers: name and value with unit.
    pub facts: Vec<(String, String)>,
    /// What may go wrong, each with its remedy.
    pub warnings: Vec<String>,
    /// Memory in bytes that all ranks together need on the processor.
    pub memory: f64,
    /// Memory in bytes that all ranks together need on GPUs, if GPUs compute.
    pub device_memory: f64,
    /// Bytes of the complete state of the whole grid, as a checkpoint holds it.
    pub saved: f64,
    /// Components of that state which a GPU's solver has on the processor beside the one that is saved.
    pub fetched: f64,
    /// Bytes that all ranks together keep on the processors of earlier flows: [`crate::Shortcuts::bytes`].
    pub kept: f64,
    /// What a step moves and sends.
    pub traffic: Traffic,
    /// What the method chose by itself for this case, in few words that stand beside its name; empty if
    /// nothing.
    pub scheme: String,
}

/// What a step moves and sends, for foreseeing what more ranks bring. Inner iterations are those that
/// the method expects.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traffic {
    /// Bytes that a cell moves from and to memory in a step.
    pub moved: f64,
    /// Share of a GPU's bandwidth that it reaches by that count, as measured.
    pub reached: f64,
    /// Bytes that a cell at a face to another rank sends across in a step.
    pub sent: f64,
    /// How often in a step a rank waits for its neighbours.
    pub exchanges: f64,
    /// How often in a step a rank waits for all ranks.
    pub reductions: f64,
    /// Inner iterations of a step; zero if there are none.
    pub iterations: f64,
}
