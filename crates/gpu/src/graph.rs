//! Captured work.

use vortice_core::Result;

use crate::driver::Replay;
use crate::stream::Kept;

/// Work that was captured once and can be done many times for the price of one launch.
pub struct Graph {
    // Dropped before what it uses.
    replay: Box<dyn Replay>,
    _kept: Kept,
}

impl Graph {
    pub(crate) fn new(replay: Box<dyn Replay>, kept: Kept) -> Self {
        Self { replay, _kept: kept }
    }

    /// Does the work, in the stream that it was captured from.
    pub fn launch(&self) -> Result<()> {
        self.replay.launch()
    }
}
