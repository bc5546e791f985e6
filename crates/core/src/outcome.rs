//! How a run ended, and what there is to say of it.

use std::fmt;

use crate::case::{Case, Until};
use crate::stages::Stages;
use crate::step::Step;
use crate::surface_fluxes::SurfaceFluxes;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The last step.
    pub step: Step,
    /// Whether the goal was reached: the end time, or steadiness.
    pub converged: bool,
    /// Why the run ended.
    pub reason: String,
    /// Steps of this run; fewer than the step's number after a restart.
    pub steps: u64,
    /// Inner iterations of this run.
    pub iterations: u64,
    /// Wall-clock time of the steps in s, monitors included.
    pub wall_seconds: f64,
    /// Where that time went, and that of the set-up before.
    pub stages: Stages,
    /// Cells of the grid.
    pub cells: usize,
    /// What the method has to say of the run: name and value.
    pub findings: Vec<(String, f64)>,
    /// What surfaces let in, of the last flow.
    pub surface_fluxes: SurfaceFluxes,
    /// What makes the run worth less than it looks, each with its remedy.
    pub warnings: Vec<String>,
}

impl Outcome {
    /// How far the velocity was from a steady end, as a share of the velocity scale; nothing if the case ends at a time,
    /// or the method cannot tell.
    pub fn iteration_error(&self, case: &Case) -> Option<f64> {
        let is_steady = matches!(case.run.until, Until::Steady(_));
        Some(self.step.iteration_error).filter(|error| is_steady && error.is_finite())
    }

    /// What to do about a run that did not reach its goal.
    pub fn remedy(&self) -> &'static str {
        match self.step.stays {
            Some(_) => "take more cells (`grid.cells`), or end at a time (`run.until`)",
            None => "raise `run.max-steps`, or take a larger `run.steady`",
        }
    }

    /// Cells times steps per second of wall-clock time.
    pub fn cells_per_second(&self) -> f64 {
        self.cells as f64 * self.steps as f64 / self.wall_seconds.max(1e-9)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, reason, .. } = self;
        // A flow that was found without following it has no time.
        match step.time_reached() {
            f64::INFINITY => write!(f, "{reason} after {} iterations, ", step.number)?,
            time => write!(f, "{reason} at t = {time:.4} s after {} steps, ", step.number)?,
        }
        let (seconds, rate) = (self.wall_seconds, self.cells_per_second() / 1e6);
        write!(f, "{seconds:.1} s, {rate:.1} million cells/s")
    }
}
