//! The monitors that need no file.

use crate::error::Result;
use crate::finite::expect_finite;
use crate::monitor::{Monitor, Snapshot, Verdict};

/// Stops a run when the flow has become steady. The case's own `run.steady` then has no say.
#[derive(Clone, Copy, Debug)]
pub struct SteadyState {
    tolerance: f64,
}

impl SteadyState {
    /// Steady when [`crate::Step::iteration_error`] is below `tolerance`, a share of the velocity scale.
    pub fn below(tolerance: f64) -> Self {
        Self { tolerance }
    }
}

impl Monitor for SteadyState {
    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        let steady = now.step.steady(self.tolerance).map(Verdict::Converged);
        let end = steady.or_else(|| now.step.never_steady().map(Verdict::Stop));
        Ok(end.unwrap_or(Verdict::Continue))
    }

    fn decides_steady(&self) -> bool {
        true
    }
}

/// Stops a run as soon as its residual says that the flow is not finite, and names the value. Every
/// [`crate::Simulation`] does the same, and looks at all of the last flow; with this the remedy is the
/// caller's.
#[derive(Clone, Debug)]
pub struct Finite {
    remedy: String,
}

impl Finite {
    /// With the sentence that says which key to change.
    pub fn new(remedy: impl Into<String>) -> Self {
        Self { remedy: remedy.into() }
    }

    /// Looks at all of the flow, whatever the residual says. Collective.
    ///
    /// # Errors
    /// [`crate::Error::Diverged`] if a value is not finite; or if a rank or device fails.
    pub fn look(&self, now: &mut Snapshot<'_>) -> Result<()> {
        expect_finite(now, &self.remedy)
    }
}

impl Monitor for Finite {
    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        if now.step.residual.is_finite() {
            return Ok(Verdict::Continue);
        }
        expect_finite(now, &self.remedy)?;
        Ok(Verdict::Stop(format!("the residual is {}", now.step.residual)))
    }
}
