//! Where the wall-clock time of a run goes.

use std::time::Duration;

use serde::Serialize;

/// What a run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Making the solver, with its initial or restored flow.
    SetUp,
    /// Steps, and waiting for those that a device has not done yet.
    Steps,
    /// Fetching and writing fields.
    Fields,
    /// Fetching and writing checkpoints.
    Checkpoints,
    /// All else that is made of the flow: histories, energies, what is compared and shown.
    Analysis,
}

/// Wall-clock time in s by stage, as one rank sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Stages {
    /// Of [`Stage::SetUp`].
    pub set_up: f64,
    /// Of [`Stage::Steps`].
    pub steps: f64,
    /// Of [`Stage::Fields`].
    pub fields: f64,
    /// Of [`Stage::Checkpoints`].
    pub checkpoints: f64,
    /// Of [`Stage::Analysis`].
    pub analysis: f64,
    /// Of the steps, with messages to other ranks and from them through the processors, waiting among it. It goes on
    /// beside the computing where a device works on, and several threads count each.
    pub messages: f64,
}

impl Stages {
    /// Of all stages.
    pub fn total(&self) -> f64 {
        let Self { set_up, steps, fields, checkpoints, analysis, .. } = self;
        set_up + steps + fields + checkpoints + analysis
    }

    /// Adds time to a stage.
    pub fn add(&mut self, stage: Stage, time: Duration) {
        let seconds = match stage {
            Stage::SetUp => &mut self.set_up,
            Stage::Steps => &mut self.steps,
            Stage::Fields => &mut self.fields,
            Stage::Checkpoints => &mut self.checkpoints,
            Stage::Analysis => &mut self.analysis,
        };
        *seconds += time.as_secs_f64();
    }
}
