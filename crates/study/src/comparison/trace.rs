//! What a run has cost, and how it approached its end, in few points.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use vortice_core::{Monitor, Result, Snapshot, Verdict, lock};

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

/// What a run has cost up to a step, all its parts together. It is kept in the run's checkpoints, so that
/// a run which was killed goes on counting where its state does.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Spent {
    /// Which run: program, device and case.
    pub(super) key: String,
    pub(super) iterations: u64,
    /// Wall-clock seconds.
    pub(super) seconds: f64,
    pub(super) looks: Vec<Look>,
    /// The step from which on to look again.
    next: f64,
    /// The bits of the residual at the last look, which text does not keep.
    seen: u64,
}

impl Spent {
    /// Nothing yet.
    pub(super) fn nothing(key: &str) -> Self {
        let looks = Vec::new();
        Self { key: key.into(), iterations: 0, seconds: 0.0, looks, next: 1.0, seen: 0 }
    }

    /// From the note of a checkpoint; nothing if a study has not written it.
    pub(super) fn read(note: &str) -> Option<Self> {
        serde_json::from_str(note).ok()
    }

    /// A look at the present step, if there is something new to see.
    fn look(&self, now: &mut Snapshot<'_>, seconds: f64) -> Option<Look> {
        let (step, residual) = (now.step.number, now.step.residual);
        // Some methods look at their residual now and then, and tell the last one in between.
        let is_new = self.looks.last().is_none_or(|last| last.step < step)
            && residual.to_bits() != self.seen;
        (is_new && residual > 0.0 && residual.is_finite()).then_some(Look {
            step,
            seconds,
            residual,
        })
    }
}

/// Counts what a run costs, and looks at the residual, ever more rarely. Clones share what they saw.
#[derive(Clone)]
pub(super) struct Trace {
    seen: Arc<Mutex<Seen>>,
    /// Seconds of all parts of the run before this one.
    before: f64,
}

/// What clones share.
struct Seen {
    spent: Spent,
    /// A look at the end, which a run that goes on will not have.
    last: Option<Look>,
    /// When this part began.
    begin: Instant,
    /// Seconds at its end, what is written then left out.
    end: Option<f64>,
}

impl Trace {
    /// Goes on from what an earlier part of the run has cost.
    pub(super) fn after(spent: Spent) -> Self {
        let before = spent.seconds;
        let seen = Seen { spent, last: None, begin: Instant::now(), end: None };
        Self { seen: Arc::new(Mutex::new(seen)), before }
    }

    /// What the run has cost until now, without a look at its end.
    pub(super) fn spent(&self) -> Spent {
        let seen = lock(&self.seen);
        Spent { seconds: self.seconds(&seen), ..seen.spent.clone() }
    }

    /// The same for a checkpoint.
    pub(super) fn note(&self) -> String {
        // Numbers and text can always be written as JSON.
        serde_json::to_string(&self.spent()).unwrap_or_default()
    }

    /// What was seen, the end included.
    pub(super) fn looks(&self) -> Vec<Look> {
        let seen = lock(&self.seen);
        seen.spent.looks.iter().copied().chain(seen.last).collect()
    }

    fn seconds(&self, seen: &Seen) -> f64 {
        seen.end.unwrap_or_else(|| self.before + seen.begin.elapsed().as_secs_f64())
    }
}

impl Monitor for Trace {
    fn begin(&mut self, _now: &mut Snapshot<'_>) -> Result<()> {
        lock(&self.seen).begin = Instant::now();
        Ok(())
    }

    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        let seen = &mut *lock(&self.seen);
        let (step, seconds) = (now.step.number as f64, self.seconds(seen));
        let spent = &mut seen.spent;
        spent.iterations += now.step.iterations;
        if step >= spent.next {
            if let Some(look) = spent.look(now, seconds) {
                spent.looks.push(look);
                spent.seen = look.residual.to_bits();
            }
            spent.next = (step * LATER).max(step + 1.0);
        }
        Ok(Verdict::Continue)
    }

    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let seen = &mut *lock(&self.seen);
        let seconds = self.seconds(seen);
        seen.last = seen.spent.look(now, seconds);
        seen.end = Some(seconds);
        Ok(())
    }
}
