//! A solver whose way to a steady flow Anderson's acceleration shortens, whatever the method.

use std::ops::Range;
use std::sync::Arc;

use super::anderson::Anderson;
use super::rounds_here::{KeptHere, RoundsHere};
use crate::case::Case;
use crate::communicator::Communicator;
use crate::context::Context;
use crate::error::Result;
use crate::field::{Field, Location, Shape};
use crate::field_later::FieldLater;
use crate::quantity::Quantity;
use crate::rounds::{Round, Rounds};
use crate::row_block::RowBlock;
use crate::settling::Settling;
use crate::solver::{Cost, Solver, through};
use crate::state::{State, StateReader, StateWriter};
use crate::step::Step;
use crate::surface_fluxes::SurfaceFluxes;
use crate::surface_force::SurfaceForce;

/// Steps of another solver in rounds; after each the flow goes where the last rounds say that they lead.
pub(super) struct Accelerated {
    solver: Box<dyn Solver>,
    ranks: Arc<dyn Communicator>,
    /// Own cells.
    cells: [usize; 3],
    /// What is looked at, and the scale of each.
    looked_at: Vec<(Quantity, f64)>,
    /// How long a round is: flow time in s, or steps without length.
    interval: f64,
    round: u64,
    anderson: Anderson,
    /// Whether the solvers of all ranks keep rounds themselves; else they lie here.
    keeps: bool,
    kept: KeptHere,
    /// Whether a round has begun.
    has_begun: bool,
    /// Flow time and number of the step at that moment.
    since: (f64, u64),
    settling: Settling,
    now: Step,
}

impl Accelerated {
    /// A solver of a case that mixes so many rounds at most, of those that change less than a share of the scales, each of
    /// so many steps that have no length.
    ///
    /// # Errors
    /// If the ranks do not fit the grid, or one has stopped.
    pub(super) fn new(
        mut solver: Box<dyn Solver>,
        (most, below, round): (usize, Option<f64>, u64),
        case: &Case,
        context: &Context,
    ) -> Result<Self> {
        let scalars = case.carried().map(|scalar| (scalar.quantity, scalar.difference));
        let velocity = (Quantity::Velocity, case.scale.velocity);
        let mut lacking = [f64::from(u8::from(solver.rounds().is_none()))];
        context.ranks.max(&mut lacking)?;
        Ok(Self {
            now: solver.now(),
            solver,
            ranks: context.ranks.clone(),
            cells: context.subdomain(case)?.n(),
            looked_at: std::iter::once(velocity).chain(scalars).collect(),
            interval: Settling::interval(case),
            round,
            anderson: Anderson::new(most, below),
            keeps: lacking == [0.0],
            kept: KeptHere::default(),
            has_begun: false,
            since: (0.0, 0),
            settling: Settling::new(case),
        })
    }

    /// Whether a round is over.
    fn is_due(&self, step: &Step) -> bool {
        let (time, number) = self.since;
        match step.dt > 0.0 {
            true => step.time - time >= (1.0 - 1e-9) * self.interval,
            false => step.number - number >= self.round,
        }
    }

    /// Does something with the rounds, wherever they are.
    fn with_rounds<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Rounds, &mut Anderson, &dyn Communicator) -> Result<T>,
    ) -> Result<T> {
        let Self { solver, keeps, kept, looked_at, anderson, ranks, .. } = self;
        if *keeps && let Some(mut rounds) = solver.rounds() {
            return work(&mut *rounds, anderson, &**ranks);
        }
        work(&mut RoundsHere { kept, solver: &mut **solver, looked_at }, anderson, &**ranks)
    }

    /// The end of a round.
    fn mix(&mut self) -> Result<()> {
        let way = self.with_rounds(|rounds, anderson, ranks| {
            anderson.mix(rounds, ranks)?;
            let mut way = [rounds.begin()?];
            ranks.max(&mut way)?;
            Ok(way[0])
        })?;
        self.settling.add(way.max(self.settling.asked(self.now.residual)), 0.0);
        Ok(())
    }

    fn form(&self) -> (Location, Shape, usize) {
        let components = self.looked_at.iter().map(|(quantity, _)| quantity.components()).sum();
        (Location::Centre, Shape { cells: self.cells, halo: [0; 3] }, components)
    }

    fn save_round(&self, state: &mut dyn StateWriter, name: &str, round: &Round) -> Result<()> {
        for (field, values) in &round.fields {
            state.field(&format!("{name}-{field}"), values.outline(), &mut |c| {
                Ok(values.component(c))
            })?;
        }
        self.save_values(state, &format!("{name}{CHANGE}"), &round.change)
    }

    fn save_values(&self, state: &mut dyn StateWriter, name: &str, values: &[f64]) -> Result<()> {
        let form = self.form();
        let n = form.1.len();
        state.components(name, form, |c| Ok(values[c * n..(c + 1) * n].to_vec()))
    }

    /// The reverse of `save_round`, with all fields that `fields` names.
    fn saved_round(&self, state: &dyn StateReader, name: &str, fields: &[String]) -> Result<Round> {
        let mut read = State::default();
        let outlines = state.outlines();
        for field in fields {
            let from = format!("{name}-{field}");
            let Some(&outline) = outlines.get(&from) else { continue };
            read.field(field, outline, &mut |c| state.component(&from, c))?;
        }
        let change = self.saved_values(state, &format!("{name}{CHANGE}"))?;
        Ok(Round { fields: read.fields, change })
    }

    fn saved_values(&self, state: &dyn StateReader, name: &str) -> Result<Vec<f64>> {
        let (_, shape, components) = self.form();
        Ok(state.field::<f64>(name, shape, components)?.values)
    }
}

/// Names in a state.
const KEPT: &str = "anderson_kept";
const SINCE: [&str; 2] = ["anderson_since", "anderson_from"];
const BEGUN: &str = "anderson_begun";
const LAST: &str = "anderson_last";
const CHANGE: &str = "_change";

/// Of a difference.
fn name(number: usize) -> String {
    format!("anderson_{number}")
}

impl Solver for Accelerated {
    through!(solver: prepare finish has is_ahead field velocity_later rows block forces surface_fluxes cost findings warnings);

    fn now(&self) -> Step {
        self.now
    }

    fn step(&mut self, latest: f64) -> Result<Step> {
        if !self.has_begun {
            self.with_rounds(|rounds, _, _| rounds.begin())?;
            self.has_begun = true;
        }
        self.now = self.solver.step(latest)?;
        if self.now.residual.is_nan() {
            return Ok(self.now);
        }
        if self.is_due(&self.now) {
            self.mix()?;
            self.since = (self.now.time, self.now.number);
        }
        let at_floor = self.now.at_floor;
        self.settling.tell(&mut self.now);
        self.now.at_floor = at_floor;
        Ok(self.now)
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.solver.save(state)?;
        state.numbers([(SINCE[0], self.since.0), (SINCE[1], self.since.1 as f64)]);
        self.settling.save_as("anderson-", state);
        if !self.has_begun {
            return Ok(());
        }
        let begun = self.with_rounds(|rounds, _, _| rounds.begun())?;
        self.save_values(state, BEGUN, &begun)?;
        let Some(last) = self.anderson.last else { return Ok(()) };
        state.number(KEPT, self.anderson.differences.len() as f64);
        let differences: Vec<_> = self.anderson.differences.iter().copied().collect();
        let names = (0..differences.len()).map(name);
        for (name, kept) in [(LAST.into(), last)].into_iter().chain(names.zip(differences)) {
            let round = self.with_rounds(|rounds, _, _| rounds.round(kept.place))?;
            self.save_round(state, &name, &round)?;
        }
        Ok(())
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.solver.restore(state)?;
        self.now = self.solver.now();
        self.anderson.forget();
        self.since = (state.number_or(SINCE[0], self.now.time), state.count_or_none(SINCE[1])?);
        self.has_begun = state.has(BEGUN);
        if self.has_begun {
            let begun = self.saved_values(state, BEGUN)?;
            self.with_rounds(|rounds, _, _| rounds.set_begun(&begun))?;
        }
        if state.has(&format!("{LAST}{CHANGE}")) {
            let fields = self.solver.state()?.fields.into_keys();
            let fields: Vec<_> = fields.filter(|name| self.solver.is_mixed(name)).collect();
            let last = self.saved_round(state, LAST, &fields)?;
            self.with_rounds(|rounds, anderson, ranks| {
                let place = anderson.free_place();
                anderson.set_last(place, rounds.set_round(place, last)?, ranks)
            })?;
            for number in 0..state.count(KEPT)? as usize {
                let difference = self.saved_round(state, &name(number), &fields)?;
                self.with_rounds(|rounds, anderson, ranks| {
                    let place = anderson.free_place();
                    let largest = rounds.set_round(place, difference)?;
                    anderson.keep(place, largest, rounds, ranks)
                })?;
            }
        }
        self.settling.restore_as("anderson-", state, &mut self.now)
    }
}
