//! The forces on bodies over time that a run has left.

use std::path::Path;

use vortice_core::{Case, Error, Method, Result};
use vortice_post::{ForceCourse, ForceSeries};

use super::files::checksum;
use crate::forces::seconds_between_forces;

/// The forces of one run.
#[derive(Default)]
pub(super) struct RunForces {
    /// Of each body.
    pub(super) series: Vec<ForceSeries>,
    /// Of the file that they were read from; empty if the run has none.
    pub(super) checksum: String,
}

impl RunForces {
    /// Of a run of a case; none if its forces are not looked at.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn read(case: &Case, method: &Method, path: &Path) -> Result<Self> {
        if seconds_between_forces(case, method).is_none() {
            return Ok(Self::default());
        }
        let text = std::fs::read_to_string(path).map_err(|error| {
            Error::file(path, error, "run it again with `--afresh`, or give another folder")
        })?;
        let checksum = format!("{:016x}", checksum(&text));
        Ok(Self { series: ForceSeries::all(case, &text), checksum })
    }

    /// What they did.
    pub(super) fn courses(&self, case: &Case) -> Vec<ForceCourse> {
        ForceCourse::all(case, &self.series)
    }
}
