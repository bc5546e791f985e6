//! What there is of MPI in a program that was built without it.

use std::sync::Arc;

use vortice_core::{Communicator, Error, Result};

use crate::launch::Launch;

/// The processes of one run; without the feature `mpi` there are never several.
#[derive(Debug)]
pub enum Session {}

impl Session {
    /// Nothing, for a process that was started alone.
    ///
    /// # Errors
    /// If several processes were started: they would all do the same and write the same files.
    pub fn join() -> Result<Option<Self>> {
        Launch::found().map_or(Ok(None), |launch| Err(launch.without_mpi()))
    }

    /// This process and the others.
    pub fn ranks(&self) -> Arc<dyn Communicator> {
        match *self {}
    }

    /// Ends all processes together.
    pub fn end(self, _outcome: &Result<u8>, _tell: impl FnOnce(&Error, Option<usize>)) -> u8 {
        match self {}
    }
}
