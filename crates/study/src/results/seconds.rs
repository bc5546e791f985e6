//! Where the time of a run went, from start to exit.

use std::fmt;
use std::time::{Duration, Instant};

use serde::Serialize;
use vortice_core::format::duration;
use vortice_core::{Outcome, Stage, Stages};

/// Wall-clock time in s.
#[derive(Serialize)]
pub struct Seconds {
    /// From the program's start to the writing of the summary.
    total: f64,
    #[serde(flatten)]
    stages: Stages,
    /// How much of the set-up compiled kernels; nothing if they were found in the cache.
    compile: f64,
}

/// A run's clock.
#[derive(Clone, Copy)]
pub struct Clock {
    begin: Instant,
    /// What was done before ranks began.
    before: Duration,
}

impl Clock {
    /// Begins now.
    pub fn start() -> Self {
        Self { begin: Instant::now(), before: Duration::ZERO }
    }

    /// The start.
    pub fn begun(&self) -> Instant {
        self.begin
    }

    /// Now ranks begin.
    pub fn ranks_begin(&mut self) {
        self.before = self.begin.elapsed();
    }

    /// Since the start.
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Of a run whose ranks have ended; what came after them was analysis.
    pub fn seconds(&self, outcome: &Outcome) -> Seconds {
        let (total, mut stages) = (self.elapsed(), outcome.stages);
        stages.add(Stage::SetUp, self.before);
        let told = Duration::from_secs_f64(stages.total());
        stages.add(Stage::Analysis, total.saturating_sub(told));
        let compile = vortice_gpu::seconds_compiling();
        Seconds { total: total.as_secs_f64(), stages, compile }
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stages { set_up, steps, fields, checkpoints, analysis, messages } = self.stages;
        let [total, set_up, steps, fields, checkpoints, analysis] =
            [self.total, set_up, steps, fields, checkpoints, analysis].map(duration);
        let speaks = match messages {
            0.0 => String::new(),
            messages => format!(" (messages {})", duration(messages)),
        };
        write!(
            f,
            "{total}: set-up {set_up}, steps {steps}{speaks}, fields {fields}, checkpoints {checkpoints}, \
             analysis {analysis}"
        )
    }
}
