//! The stream of a device, in which everything happens in the order of the calls.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use vortice_core::{Error, Result};

use crate::driver::Driver;

/// A driver, and what the work that is being captured needs.
pub(crate) struct Stream {
    pub(crate) driver: Rc<dyn Driver>,
    captured: RefCell<Option<Kept>>,
}

/// What captured work uses and must therefore outlive it: memory, kernels, links.
pub(crate) type Kept = Vec<Rc<dyn Any>>;

impl Stream {
    /// That of a driver.
    pub(crate) fn new(driver: Rc<dyn Driver>) -> Self {
        Self { driver, captured: RefCell::default() }
    }

    /// From now on work is written down; `kept` are the first things that it uses.
    pub(crate) fn begin_capture(&self, kept: Kept) -> Result<()> {
        self.not_captured("a capture")?;
        self.driver.begin_capture()?;
        *self.captured.borrow_mut() = Some(kept);
        Ok(())
    }

    /// What captured work uses; nothing is captured any more.
    pub(crate) fn end_capture(&self) -> Kept {
        self.captured.take().unwrap_or_default()
    }

    /// Refuses what cannot be part of a graph while one is captured.
    pub(crate) fn not_captured(&self, what: &str) -> Result<()> {
        if self.captured.borrow().is_none() {
            return Ok(());
        }
        Err(Error::Device {
            problem: format!("{what} cannot be part of a captured graph"),
            remedy: "this is a mistake in the program: do it before or after the capture".into(),
        })
    }

    /// Keeps something for as long as the graph that is being captured.
    pub(crate) fn keep(&self, used: Rc<dyn Any>) {
        if let Some(kept) = self.captured.borrow_mut().as_mut() {
            kept.push(used);
        }
    }
}
