//! What is kept of a run on disk, so that it need not be made again.

use std::path::Path;

use serde::{Deserialize, Serialize};
use vortice_core::{Error, Result, Step, SurfaceFluxes, clear, write_beside};

use super::row::Ended;
use super::trace::{Look, Spent};

/// A run that ended, and what it was; its fields are beside it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    /// Program, device and case: a run with another key is another run.
    pub(super) key: String,
    /// Which of the runs with this key: its fields say the same.
    pub(super) run: String,
    pub(super) ended: Ended,
    /// Number, flow time and length of the last step.
    step: u64,
    time: f64,
    dt: f64,
    /// How far a flow that shall be steady is from its end, as a share of the velocity scale.
    pub(super) iteration_error: Option<f64>,
    pub(super) steps: u64,
    pub(super) iterations: u64,
    pub(super) wall_seconds: f64,
    pub(super) looks: Vec<Look>,
    /// What makes the run worth less than it looks.
    #[serde(default)]
    pub(super) warnings: Vec<String>,
    /// What faces of the box let in, if the method told it.
    #[serde(default)]
    pub(super) surface_fluxes: SurfaceFluxes,
    /// Checksum of its forces over time; empty if it has none.
    #[serde(default)]
    pub(super) forces: String,
}

impl Record {
    /// Of a run that ended after a step and has cost so much.
    pub(super) fn new(run: &str, spent: Spent, ended: Ended, step: Step) -> Self {
        Self {
            key: spent.key,
            run: run.to_owned(),
            ended,
            step: step.number,
            time: step.time,
            dt: step.dt,
            iteration_error: None,
            steps: step.number,
            iterations: spent.iterations,
            wall_seconds: spent.seconds,
            looks: spent.looks,
            warnings: Vec::new(),
            surface_fluxes: SurfaceFluxes::default(),
            forces: String::new(),
        }
    }

    /// The last step.
    pub(super) fn last(&self) -> Step {
        Step { number: self.step, time: self.time, dt: self.dt, ..Step::default() }
    }

    /// Takes away the record of an earlier run, before another begins in its place.
    pub(super) fn forget(path: &Path) -> Result<()> {
        clear(path).map_err(|error| {
            let remedy = "allow the program to change the folder, or give another with `--out`";
            Error::file(path, format!("cannot be removed: {error}"), remedy)
        })
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
