//! What a step of any method says of itself.

use crate::error::Result;
use crate::state::{StateReader, StateWriter};

/// What one step did. A steady method's step is one outer iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Number of the step; the first is 1, the initial state 0.
    pub number: u64,
    /// Flow time after the step in s.
    pub time: f64,
    /// Length of the step in s; zero for an outer iteration.
    pub dt: f64,
    /// Inner iterations of the linear solver.
    pub iterations: u64,
    /// How fast the flow changes: the largest change of a velocity component per second, as a share of
    /// the case's velocity scale, in 1/s. Not finite once the flow is not.
    pub residual: f64,
    /// How far the velocity is from where it will be when nothing changes any more, as a share of the
    /// case's velocity scale, by [`crate::Settling`]; infinite as long as that is unknown.
    pub iteration_error: f64,
    /// Whether rounding keeps it from coming nearer.
    pub at_floor: bool,
    /// The changes over an interval that have long not shrunk, as a share of the velocity scale, if so:
    /// what keeps changing like that never becomes steady.
    pub stays: Option<f64>,
}

impl Default for Step {
    /// Before the first step: at time 0, and as far from the end as can be.
    fn default() -> Self {
        let iteration_error = f64::INFINITY;
        Self {
            number: 0,
            time: 0.0,
            dt: 0.0,
            iterations: 0,
            residual: 0.0,
            iteration_error,
            at_floor: false,
            stays: None,
        }
    }
}

impl Step {
    /// Why a run ends whose steps are so short beside the flow time that it stays what it is.
    pub(crate) fn stuck(&self) -> String {
        format!("a step of {:e} s does not change the flow time of {} s", self.dt, self.time)
    }

    /// Flow time in s at which the flow compares with one that is known at all times: infinite for a
    /// steady flow that was found without following it, in steps of no length.
    pub fn time_reached(&self) -> f64 {
        if self.number > 0 && self.dt == 0.0 { f64::INFINITY } else { self.time }
    }
}

impl Step {
    /// Adds its numbers to a state; how far it is from its end is that of [`crate::Settling`].
    pub fn save(&self, state: &mut dyn StateWriter) {
        state.numbers([
            ("step", self.number as f64),
            ("time", self.time),
            ("dt", self.dt),
            ("iterations", self.iterations as f64),
            ("residual", self.residual),
        ]);
    }

    /// The step of a saved state.
    ///
    /// # Errors
    /// If a number is missing.
    pub fn saved(state: &dyn StateReader) -> Result<Self> {
        Ok(Self {
            number: state.count("step")?,
            time: state.number("time")?,
            dt: state.number("dt")?,
            iterations: state.count_or_none("iterations")?,
            residual: state.number("residual")?,
            ..Self::default()
        })
    }
}
