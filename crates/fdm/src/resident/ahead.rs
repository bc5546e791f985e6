//! A run that is ahead of what was asked for: several steps are done in a launch and
//! handed out one by one. When the flow is looked at in between, it goes back to where the last launch
//! began and does once more as many as were asked for: the same steps, bit for bit.

use std::collections::VecDeque;
use std::ops::Range;
use std::time::{Duration, Instant};

use vortice_core::{Field, FieldLater, Quantity, Result, StateReader, StateWriter, SurfaceForce};

use super::launches::{MOST_STEPS, Resident};
use crate::forces::ForceSides;
use crate::step_state::StepState;

/// A launch shall take about so long: long enough that its start costs little, short enough that
/// stopping the run does not feel slow, and that who watches sees it move.
const PATIENCE: Duration = Duration::from_millis(15);

/// A device and the steps that it is ahead.
pub(crate) struct Ahead {
    device: Box<dyn Resident>,
    /// Where the last launch began, and the time that it was not to pass.
    start: StepState,
    latest: f64,
    /// Its steps that were handed out, and those that were not.
    taken: usize,
    ready: VecDeque<StepState>,
    /// Steps of the next launch.
    most: usize,
    /// Launches since it went back.
    undisturbed: u32,
}

/// A flow that is looked at after as many steps each time is not to be found further on: so many launches without a look come
/// before a longer one.
const UNDISTURBED: u32 = 8;

impl Ahead {
    pub(crate) fn new(device: Box<dyn Resident>) -> Self {
        let start = StepState::default();
        Self {
            device,
            start,
            latest: f64::NAN,
            taken: 0,
            ready: VecDeque::new(),
            most: 1,
            undisturbed: UNDISTURBED,
        }
    }

    /// Largest magnitude of each velocity component after the last step handed out, in m/s.
    pub(crate) fn speed(&mut self) -> Result<[f64; 3]> {
        self.settle()?;
        self.device.speed()
    }

    /// Whether there are steps that were not handed out yet.
    pub(crate) fn has_steps(&self) -> bool {
        !self.ready.is_empty()
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
            self.ready = self.device.steps(now, latest, self.most)?.into();
            self.undisturbed = self.undisturbed.saturating_add(1);
            let may_grow = self.undisturbed > UNDISTURBED;
            self.most = match begin.elapsed() {
                long if long > 2 * PATIENCE => (self.most / 2).max(1),
                long if 3 * long < 2 * PATIENCE && may_grow => (2 * self.most).min(MOST_STEPS),
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
        self.device.go_back()?;
        if self.taken > 0 {
            self.device.steps(&self.start, self.latest, self.taken)?;
        }
        // Who looked may look again after as many steps.
        (self.most, self.undisturbed) = (self.taken.max(1), 0);
        Ok(())
    }

    /// Velocity or pressure at the centres of some rows of cells, after the last step handed out.
    pub(crate) fn field(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        self.settle()?;
        self.device.field(quantity, rows)
    }

    /// Velocity there, still on its way.
    pub(crate) fn velocity_later(&mut self, rows: Range<usize>) -> Result<FieldLater> {
        self.settle()?;
        self.device.velocity_later(rows)
    }

    /// The forces of all ranks on bodies, after the last step handed out.
    pub(crate) fn forces(&mut self, sides: &ForceSides, gamma: f64) -> Result<Vec<SurfaceForce>> {
        self.settle()?;
        self.device.forces(sides, gamma)
    }

    /// Velocity and pressure, with all halos, after the last step handed out.
    pub(crate) fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.settle()?;
        self.device.save(state)
    }

    /// The reverse of `save`.
    pub(crate) fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.ready.clear();
        self.device.restore(state)
    }
}
