//! A run that is ahead of what was asked for: steps are marched several at a time and handed out
//! one by one. When the flow is looked at in between, it goes back to where the last march
//! began and marches once more as far as was asked for: the same steps, bit for bit.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use vortice_core::{Field, Quantity, Result, State};

use super::marcher::{MOST_STEPS, Marcher};
use crate::step_state::StepState;

/// A march shall take about so long: long enough that its start costs little, short enough that
/// stopping the run does not feel slow.
const PATIENCE: Duration = Duration::from_millis(40);

/// A marcher and the steps that it is ahead.
pub(crate) struct Ahead {
    marcher: Box<dyn Marcher>,
    /// Where the last march began, and the time that it was not to pass.
    start: StepState,
    latest: f64,
    /// Its steps that were handed out, and those that were not.
    taken: usize,
    ready: VecDeque<StepState>,
    /// Steps of the next march.
    most: usize,
}

impl Ahead {
    pub(crate) fn new(marcher: Box<dyn Marcher>) -> Self {
        let start = StepState::default();
        Self { marcher, start, latest: f64::NAN, taken: 0, ready: VecDeque::new(), most: 1 }
    }

    /// Largest magnitude of each velocity component after the last step handed out, in m/s.
    pub(crate) fn speed(&mut self) -> Result<[f64; 3]> {
        self.settle()?;
        self.marcher.speed()
    }

    /// The step after `now`.
    pub(crate) fn step(&mut self, now: &StepState, latest: f64) -> Result<StepState> {
        if !self.ready.is_empty() && latest != self.latest {
            self.settle()?;
        }
        loop {
            if let Some(moment) = self.ready.pop_front() {
                self.taken += 1;
                return Ok(moment);
            }
            (self.start, self.latest, self.taken) = (*now, latest, 0);
            let begin = Instant::now();
            self.ready = self.marcher.march(now, latest, self.most)?.into();
            self.most = match begin.elapsed() {
                long if long > 2 * PATIENCE => (self.most / 2).max(1),
                long if long < PATIENCE / 2 => (2 * self.most).min(MOST_STEPS),
                _ => self.most,
            };
        }
    }

    /// Brings the flow to the last step that was handed out.
    fn settle(&mut self) -> Result<()> {
        if self.ready.is_empty() {
            return Ok(());
        }
        self.ready.clear();
        self.marcher.go_back()?;
        if self.taken > 0 {
            self.marcher.march(&self.start, self.latest, self.taken)?;
        }
        // Who looked may look again after as many steps.
        self.most = self.taken.max(1);
        Ok(())
    }

    /// Velocity or pressure at the centres of cells, after the last step handed out.
    pub(crate) fn field(&mut self, quantity: Quantity) -> Result<Field> {
        self.settle()?;
        self.marcher.field(quantity)
    }

    /// Velocity and pressure, with all halos, after the last step handed out.
    pub(crate) fn save(&mut self, state: &mut State) -> Result<()> {
        self.settle()?;
        self.marcher.save(state)
    }

    /// The reverse of `save`.
    pub(crate) fn restore(&mut self, state: &State) -> Result<()> {
        self.ready.clear();
        self.marcher.restore(state)
    }
}
