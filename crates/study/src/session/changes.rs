//! What was changed in a case while its flow went on.

use serde::{Deserialize, Serialize};
use vortice_core::{Case, Error, Result};

/// Settings that were changed between two steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The step after which it was.
    pub step: u64,
    /// The flow time in s of that step.
    pub time: f64,
    /// The settings, `key=value`.
    pub sets: Vec<String>,
}

/// The case with other settings. Choices that were made by methods of [`Case`] and do not stand in its text stay.
///
/// # Errors
/// If a setting is wrong, or is for another device.
pub(super) fn changed(case: &Case, sets: &[String]) -> Result<Case> {
    let (before, mut next) = (case.with(&[])?, case.with(sets)?);
    next.check_tables()?;
    if next.run.device != before.run.device {
        let problem = "cannot be changed while a flow goes on";
        let remedy = "write a checkpoint, and begin another run from it";
        return Err(Error::case("run.device", problem, remedy));
    }
    next.run.device = case.run.device.clone();
    next.ranks = case.ranks.clone();
    if next.run.method == before.run.method {
        next.run.method.clone_from(&case.run.method);
    }
    if next.run.precision == before.run.precision {
        next.run.precision = case.run.precision;
    }
    Ok(next)
}
