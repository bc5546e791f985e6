//! How a run approached its end, in few points.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use vortice_core::{Monitor, Result, Snapshot, Verdict};

/// A look at a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Number of the step.
    pub step: u64,
    /// Wall-clock seconds since the run began.
    pub seconds: f64,
    /// [`vortice_core::Step::residual`] in 1/s.
    pub residual: f64,
}

/// Each look is at a step that is this much later than the last: a long run has some hundred looks.
const LATER: f64 = 1.03;

/// Looks at the residual, ever more rarely. Clones share what they saw.
#[derive(Clone)]
pub(super) struct Trace {
    looks: Rc<RefCell<Vec<Look>>>,
    begin: Instant,
    next: f64,
    /// Seconds that an earlier part of the run took.
    before: f64,
}

impl Trace {
    /// Goes on from what was seen of an earlier part of the run.
    pub(super) fn after(looks: Vec<Look>, before: f64) -> Self {
        Self { looks: Rc::new(RefCell::new(looks)), begin: Instant::now(), next: 1.0, before }
    }

    /// What was seen.
    pub(super) fn looks(&self) -> Vec<Look> {
        self.looks.borrow().clone()
    }

    fn look(&mut self, now: &Snapshot<'_>) {
        let (step, residual) = (now.step.number, now.step.residual);
        let mut looks = self.looks.borrow_mut();
        // Some methods look at their residual now and then, and tell the last one in between.
        let new = looks.last().is_none_or(|last| last.step < step && last.residual != residual);
        if new && residual > 0.0 && residual.is_finite() {
            let seconds = self.before + self.begin.elapsed().as_secs_f64();
            looks.push(Look { step, seconds, residual });
        }
    }
}

impl Monitor for Trace {
    fn begin(&mut self, _now: &Snapshot<'_>) -> Result<()> {
        self.begin = Instant::now();
        Ok(())
    }

    fn after_step(&mut self, now: &Snapshot<'_>) -> Result<Verdict> {
        let step = now.step.number as f64;
        if step >= self.next {
            self.look(now);
            self.next = (step * LATER).max(step + 1.0);
        }
        Ok(Verdict::Continue)
    }

    fn finish(&mut self, now: &Snapshot<'_>) -> Result<()> {
        self.look(now);
        Ok(())
    }
}
