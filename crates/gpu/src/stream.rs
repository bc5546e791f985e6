//! The stream of a device, in which everything happens in the order of the calls.

use std::any::Any;
use std::sync::{Arc, Mutex};

use vortice_core::{Error, Result, lock};

use crate::driver::Driver;

/// A driver, and what the work that is being captured needs.
pub(crate) struct Stream {
    pub(crate) driver: Arc<dyn Driver>,
    captured: Mutex<Option<Kept>>,
}

/// What captured work uses and must therefore outlive it: memory, kernels, links.
pub(crate) type Kept = Vec<Arc<dyn Any + Send + Sync>>;

impl Stream {
    /// That of a driver.
    pub(crate) fn new(driver: Arc<dyn Driver>) -> Self {
        Self { driver, captured: Mutex::default() }
    }

    /// From now on work is written down; `kept` are the first things that it uses.
    pub(crate) fn begin_capture(&self, kept: Kept) -> Result<()> {
        self.not_captured("a capture")?;
        self.driver.begin_capture()?;
        *lock(&self.captured) = Some(kept);
        Ok(())
    }

    /// What captured work uses; nothing is captured any more.
    pub(crate) fn end_capture(&self) -> Kept {
        lock(&self.captured).take().unwrap_or_default()
    }

    /// Refuses what cannot be part of a graph while one is captured.
    pub(crate) fn not_captured(&self, what: &str) -> Result<()> {
        if lock(&self.captured).is_none() {
            return Ok(());
        }
        Err(Error::Device {
            problem: format!("{what} cannot be part of a captured graph"),
            remedy: "this is a mistake in the program: do it before or after the capture".into(),
        })
    }

    /// Keeps what work uses for as long as the graph that is being captured; `add` is called if one is.
    pub(crate) fn keep(&self, add: impl FnOnce(&mut Kept)) {
        if let Some(kept) = &mut *lock(&self.captured) {
            add(kept);
        }
    }
}
