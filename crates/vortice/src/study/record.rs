//! What is kept of a run on disk, so that it need not be made again.

use std::path::Path;

use serde::{Deserialize, Serialize};
use vortice_core::{Error, Result, Step};
use vortice_output::write_beside;

use super::row::Ended;
use super::trace::Look;

/// A run that ended, and what it was; its fields are beside it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    /// Program, device and case: a run with another key is another run.
    pub(super) key: String,
    pub(super) ended: Ended,
    /// Number, flow time and length of the last step.
    step: u64,
    time: f64,
    dt: f64,
    pub(super) steps: u64,
    pub(super) iterations: u64,
    pub(super) wall_seconds: f64,
    pub(super) looks: Vec<Look>,
}

impl Record {
    /// Of a run that ended after a step; nothing has been counted yet.
    pub(super) fn new(key: &str, ended: Ended, step: Step) -> Self {
        Self {
            key: key.to_owned(),
            ended,
            step: step.number,
            time: step.time,
            dt: step.dt,
            steps: step.number,
            iterations: 0,
            wall_seconds: 0.0,
            looks: Vec::new(),
        }
    }

    /// The last step.
    pub(super) fn last(&self) -> Step {
        Step { number: self.step, time: self.time, dt: self.dt, ..Step::default() }
    }

    /// What a file holds; nothing if there is none, or none that this version can read.
    pub(super) fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    /// Writes the file, beside and then in place of an older one.
    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_vec_pretty(self).map_err(|error| {
            Error::file(path, format!("cannot be put into words: {error}"), "report this")
        })?;
        write_beside(path, |file| file.write_all(&text))
    }
}
