//! A solver whose way to a steady flow Anderson's acceleration shortens, whatever the method.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::anderson::{Anderson, Round};
use crate::case::Case;
use crate::communicator::Communicator;
use crate::context::Context;
use crate::error::Result;
use crate::field::{Field, Location, Shape};
use crate::field_later::FieldLater;
use crate::quantity::Quantity;
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
    most: usize,
    anderson: Anderson,
    /// The flow with which this round began, in shares of its scales; nothing before the first.
    begun: Vec<f64>,
    /// Flow time and number of the step at that moment.
    since: (f64, u64),
    settling: Settling,
    now: Step,
}

impl Accelerated {
    /// A solver of a case that mixes so many rounds at most, each of so many steps that have no length.
    ///
    /// # Errors
    /// If the ranks do not fit the grid.
    pub(super) fn new(
        solver: Box<dyn Solver>,
        (most, round): (usize, u64),
        case: &Case,
        context: &Context,
    ) -> Result<Self> {
        let scalars = case.carried().map(|scalar| (scalar.quantity, scalar.difference));
        let velocity = (Quantity::Velocity, case.scale.velocity);
        Ok(Self {
            now: solver.now(),
            solver,
            ranks: context.ranks.clone(),
            cells: context.subdomain(case)?.n(),
            looked_at: std::iter::once(velocity).chain(scalars).collect(),
            interval: Settling::interval(case),
            round,
            most,
            anderson: Anderson::new(most),
            begun: Vec::new(),
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

    /// The flow of own cells, in shares of its scales.
    fn look(&mut self) -> Result<Vec<f64>> {
        let mut all = Vec::new();
        for &(quantity, scale) in &self.looked_at {
            let field = self.solver.field(quantity)?;
            all.extend(field.values.iter().map(|value| value / scale));
        }
        Ok(all)
    }

    /// The end of a round.
    fn mix(&mut self) -> Result<()> {
        let (mut state, mut change) = (self.solver.state()?, self.look()?);
        change.iter_mut().zip(&self.begun).for_each(|(now, begun)| *now -= begun);
        self.anderson.mix(&mut state, change, &*self.ranks)?;
        self.solver.restore(&state)?;
        let begun = self.look()?;
        let way = begun.iter().zip(&self.begun).map(|(now, before)| (now - before).abs());
        let mut way = [way.fold(0.0, f64::max)];
        self.ranks.max(&mut way)?;
        let asked = self.settling.asked(self.now.residual);
        self.settling.add(way[0].max(asked), 0.0);
        self.begun = begun;
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
        Ok(Round::new(read.fields, change))
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
        if self.begun.is_empty() {
            self.begun = self.look()?;
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
        if !self.begun.is_empty() {
            self.save_values(state, BEGUN, &self.begun)?;
        }
        let Some(last) = &self.anderson.last else { return Ok(()) };
        state.number(KEPT, self.anderson.differences.len() as f64);
        self.save_round(state, LAST, last)?;
        for (number, difference) in self.anderson.differences.iter().enumerate() {
            self.save_round(state, &name(number), difference)?;
        }
        Ok(())
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.solver.restore(state)?;
        self.now = self.solver.now();
        self.anderson = Anderson::new(self.most);
        self.since = (state.number_or(SINCE[0], self.now.time), state.count_or_none(SINCE[1])?);
        self.begun = if state.has(BEGUN) { self.saved_values(state, BEGUN)? } else { Vec::new() };
        if state.has(&format!("{LAST}{CHANGE}")) {
            let fields: Vec<String> = (self.solver.state()?.fields.into_keys()).collect();
            let last = self.saved_round(state, LAST, &fields)?;
            let differences = 0..state.count(KEPT)? as usize;
            let differences = differences.map(|n| self.saved_round(state, &name(n), &fields));
            let differences = differences.collect::<Result<VecDeque<_>>>()?;
            self.anderson = Anderson::of(self.most, Some(last), differences, &*self.ranks)?;
        }
        self.settling.restore_as("anderson-", state, &mut self.now)
    }
}
