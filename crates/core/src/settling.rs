//! How far a flow still is from its end, told by how its changes decay: what "steady" means for every
//! method. Equations: docs/src/theory/equations.md.

use crate::case::Case;
use crate::error::Result;
use crate::state::{StateReader, StateWriter};
use crate::step::Step;

/// Changes that are kept. A beat is seen as one if it takes less than half as many intervals.
const KEPT: usize = 64;

/// Changes before which nothing is said: what begins tells nothing of how it ends.
const FEWEST: usize = 4;

/// Changes that are compared with as many before to see whether rounding stops the decay, and the ratio
/// of their sums from which on it does.
const FLOOR_LENGTH: usize = 8;
const FLOOR_RATIO: f64 = 0.9;

/// Share of what equations ask for that has to have been made. Mixed rounds leave residuals some hundred times their way.
const ASKED: f64 = 1e-3;

/// Intervals of a spell, and the ratio of the largest changes of two spells from which on a flow counts
/// as one that never becomes steady.
const SPELL: u64 = 128;
const STAYS_RATIO: f64 = 0.9;

/// A number of whole intervals of a decay, and what they say of its end; eqs. (N6) to (N10).
#[derive(Clone, Debug, PartialEq)]
pub struct Settling {
    /// Flow time in s of an interval.
    interval: f64,
    /// Largest changes of the velocity over intervals of equal length, shares of the velocity scale, the
    /// latest last.
    changes: Vec<f64>,
    /// Changes that rounding makes in the last interval, as a share of the velocity scale.
    rounding: f64,
    /// Sum of the changes of the steps of the interval that is not over, its length in s, its steps.
    way: f64,
    since: f64,
    steps: u64,
    /// The smallest estimate so far.
    least: f64,
    /// Intervals of the spell that is not over, and its largest change.
    spell: u64,
    largest: f64,
    /// Largest changes of the two spells before it, the later last; infinite as long as there was none.
    spells: [f64; 2],
}

impl Settling {
    /// Before the first step.
    pub fn new(case: &Case) -> Self {
        Self::over(Self::interval(case))
    }

    fn over(interval: f64) -> Self {
        let changes = Vec::with_capacity(KEPT + 1);
        Self {
            interval,
            changes,
            rounding: 0.0,
            way: 0.0,
            since: 0.0,
            steps: 0,
            least: f64::INFINITY,
            spell: 0,
            largest: 0.0,
            spells: [f64::INFINITY; 2],
        }
    }

    /// Flow time in s over which changes are taken: a convective time `L / U`, or the tenth of a viscous
    /// time `L^2 / nu` if that is shorter.
    pub fn interval(case: &Case) -> f64 {
        let convective = case.scale.length / case.scale.velocity;
        convective * (0.1 * case.reynolds()).min(1.0)
    }

    /// Adds a step whose residual is its own and writes into it how far the flow is from its end. The way
    /// over an interval is that of its steps together; `rounding` is the change, as a share of the
    /// velocity scale, that rounding makes in a step.
    pub fn follow(&mut self, step: &mut Step, rounding: f64) {
        self.way += step.residual * step.dt;
        self.since += step.dt;
        self.steps += 1;
        if self.since >= (1.0 - 1e-9) * self.interval {
            let change = self.way * (self.interval / self.since);
            self.add(change, rounding * self.steps as f64);
            (self.way, self.since, self.steps) = (0.0, 0.0, 0);
        }
        self.tell(step);
    }

    /// Adds the largest change of a velocity component over an interval, and the change that rounding
    /// makes in one, both as shares of the velocity scale.
    pub fn add(&mut self, change: f64, rounding: f64) {
        self.rounding = rounding;
        self.changes.push(change);
        if self.changes.len() > KEPT {
            self.changes.remove(0);
        }
        self.least = self.least.min(self.estimate());
        self.spell += 1;
        self.largest = self.largest.max(change);
        if self.spell == SPELL {
            self.spells = [self.spells[1], self.largest];
            (self.spell, self.largest) = (0, 0.0);
        }
    }

    /// The least that counts as a change over an interval while equations ask for one of `residual` in each second, as
    /// shares of the velocity scale: steps that undo each other change nothing and are not at an end.
    pub fn asked(&self, residual: f64) -> f64 {
        ASKED * residual * self.interval
    }

    /// Writes into a step how far the flow is from its end.
    pub fn tell(&self, step: &mut Step) {
        step.at_floor = self.is_at_floor();
        step.stays = self.stays();
        step.iteration_error = if step.at_floor {
            self.least.max(self.latest(FLOOR_LENGTH).fold(0.0, f64::max))
        } else {
            self.estimate()
        };
    }

    /// (N7) and (N8); infinite if changes grow or stay.
    fn estimate(&self) -> f64 {
        let known = self.changes.len();
        if known >= 2 && self.sum(2, 0) == 0.0 {
            return 0.0;
        }
        if known < FEWEST {
            return f64::INFINITY;
        }
        let longest = 1 << (known / 2).ilog2();
        let short = (0..).map(|power| 1 << power).take_while(|length| *length < longest);
        let short = short.filter_map(|length| self.rest_of_short(length));
        short.fold(self.rest_of_long(longest), f64::max)
    }

    /// (N7): the rest of a decay as slow as two long sums say, through all changes of these.
    fn rest_of_long(&self, length: usize) -> f64 {
        let ratio = self.sum(length, 0) / self.sum(length, length);
        if ratio < 1.0 {
            let ratio = ratio.powf(1.0 / length as f64);
            let latest = self.latest(2 * length).enumerate();
            let size =
                latest.map(|(ago, change)| change * ratio.powi(ago as i32)).fold(0.0, f64::max);
            size * ratio / (1.0 - ratio)
        } else {
            f64::INFINITY
        }
    }

    /// (N8): the rest of a decay as slow as short sums say, if these shrink.
    fn rest_of_short(&self, length: usize) -> Option<f64> {
        let [last, middle, first] = [0, 1, 2].map(|number| self.sum(length, number * length));
        let shrinks = 3 * length <= self.changes.len() && last < middle && middle < first;
        shrinks.then(|| last * last / (middle - last))
    }

    /// (N9): changes that rounding explains and that have not shrunk for long.
    fn is_at_floor(&self) -> bool {
        let n = FLOOR_LENGTH;
        self.changes.len() >= 2 * n
            && self.latest(2 * n).all(|change| change <= self.rounding)
            && self.sum(n, 0) > FLOOR_RATIO * self.sum(n, n)
    }

    /// (N10): the changes that two spells have not made smaller.
    fn stays(&self) -> Option<f64> {
        let [before, latest] = self.spells;
        (before.is_finite() && latest > STAYS_RATIO * before).then_some(latest)
    }

    /// Sum of so many changes, without so many of the latest.
    fn sum(&self, count: usize, without: usize) -> f64 {
        self.changes.iter().rev().skip(without).take(count).sum()
    }

    fn latest(&self, count: usize) -> impl Iterator<Item = f64> {
        self.changes.iter().rev().take(count).copied()
    }

    /// Adds its numbers to a state.
    pub fn save(&self, state: &mut dyn StateWriter) {
        self.save_as("", state);
    }

    /// The same with something before their names.
    pub(crate) fn save_as(&self, before: &str, state: &mut dyn StateWriter) {
        let numbers = [
            ("rounding", self.rounding),
            ("way", self.way),
            ("since", self.since),
            ("steps", self.steps as f64),
            ("least", self.least),
            ("spell", self.spell as f64),
            ("largest", self.largest),
            ("spell-before", self.spells[0]),
            ("spell-latest", self.spells[1]),
            ("changes", self.changes.len() as f64),
        ];
        let mut add = |name: &str, value| state.number(&format!("{before}settling-{name}"), value);
        numbers.into_iter().for_each(|(name, value)| add(name, value));
        for (n, change) in self.changes.iter().enumerate() {
            add(&format!("change-{n}"), *change);
        }
    }

    /// The reverse of `save`, told to the step that the state belongs to. A state that an older version wrote
    /// keeps none of it: what follows is then as if it began there.
    ///
    /// # Errors
    /// If a number is missing, or counts nothing.
    pub fn restore(&mut self, state: &dyn StateReader, step: &mut Step) -> Result<()> {
        self.restore_as("", state, step)
    }

    /// The same of numbers with something before their names.
    pub(crate) fn restore_as(
        &mut self,
        before: &str,
        state: &dyn StateReader,
        step: &mut Step,
    ) -> Result<()> {
        let known = state.numbers().contains_key(&format!("{before}settling-changes"));
        *self = if known { self.saved(before, state)? } else { Self::over(self.interval) };
        self.tell(step);
        Ok(())
    }

    fn saved(&self, before: &str, state: &dyn StateReader) -> Result<Self> {
        let name = |name: &str| format!("{before}settling-{name}");
        let number = |of: &str| state.number(&name(of));
        let known = state.count(&name("changes"))? as usize;
        let changes = (0..known.min(KEPT)).map(|n| number(&format!("change-{n}")));
        Ok(Self {
            interval: self.interval,
            changes: changes.collect::<Result<_>>()?,
            rounding: number("rounding")?,
            way: number("way")?,
            since: number("since")?,
            steps: state.count(&name("steps"))?,
            least: number("least")?,
            // A state of a version that did not count spells begins with one.
            spell: state.count_or_none(&name("spell"))?,
            largest: state.number_or(&name("largest"), 0.0),
            spells: ["spell-before", "spell-latest"]
                .map(|of| state.number_or(&name(of), f64::INFINITY)),
        })
    }
}

impl Step {
    /// How a flow ends that shall be steady: nothing while it is farther from its end than the tolerance,
    /// a share of the velocity scale, unless rounding lets it come no nearer.
    pub fn steady(&self, tolerance: f64) -> Option<String> {
        let Self { number, iteration_error: error, at_floor, .. } = *self;
        if number > 0 && error < tolerance {
            return Some(format!("steady (iteration error {error:.1e} < {tolerance:.0e})"));
        }
        at_floor.then(|| {
            format!(
                "steady down to rounding (iteration error about {error:.1e}, not {tolerance:.0e}: \
                 the changes no longer shrink)"
            )
        })
    }

    /// Why a flow that shall be steady will not be: its changes have long stayed what they are.
    pub fn never_steady(&self) -> Option<String> {
        let change = self.stays?;
        let spells = 2 * SPELL;
        Some(format!(
            "does not become steady: for {spells} intervals its velocity has changed by up to {change:.1e} \
             of the velocity scale in each"
        ))
    }
}

#[cfg(test)]
#[path = "settling/tests.rs"]
mod tests;
