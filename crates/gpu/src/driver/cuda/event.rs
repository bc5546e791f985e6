//! Events in the stream.

use std::any::Any;
use std::sync::Arc;

use cudarc::driver::sys;
use vortice_core::Result;

use super::error::{check, mistake};
use super::session::Session;
use crate::driver;

/// An event in the stream, with the time at which it was reached.
pub(super) struct Event {
    session: Arc<Session>,
    event: sys::CUevent,
}

// SAFETY: an event belongs to the context of its session, not to a thread.
#[allow(unsafe_code)]
unsafe impl Send for Event {}

impl Event {
    /// Marks the end of all work so far; the session has been entered.
    #[allow(unsafe_code)]
    pub(super) fn record(session: &Arc<Session>) -> Result<Self> {
        let mut event = std::ptr::null_mut();
        let flags = sys::CUevent_flags::CU_EVENT_DEFAULT as u32;
        // SAFETY: the context is current; a pointer is written to a local.
        check(unsafe { sys::cuEventCreate(&mut event, flags) }, "making an event")?;
        let made = Self { session: Arc::clone(session), event };
        // SAFETY: event and stream exist, of the same context.
        check(unsafe { sys::cuEventRecord(event, session.stream()) }, "setting an event")?;
        Ok(made)
    }

    /// Waits until the event is reached.
    #[allow(unsafe_code)]
    pub(super) fn wait(&self) -> Result<()> {
        // SAFETY: the event exists.
        check(unsafe { sys::cuEventSynchronize(self.event) }, "work on the GPU")
    }
}

impl driver::Event for Event {
    #[allow(unsafe_code)]
    fn seconds_since(&self, earlier: &dyn driver::Event) -> Result<f64> {
        let other = earlier.as_any().downcast_ref::<Self>();
        let other = other.ok_or_else(|| mistake("events of two kinds of device were compared"))?;
        self.session.enter()?;
        self.wait()?;
        other.wait()?;
        let mut milliseconds = 0.0;
        // SAFETY: both events exist and are reached; a number is written to a local.
        let code =
            unsafe { sys::cuEventElapsedTime_v2(&mut milliseconds, other.event, self.event) };
        check(code, "comparing two events")?;
        Ok(f64::from(milliseconds) * 1e-3)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for Event {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if self.session.enter().is_ok() {
            // SAFETY: the event exists and is not used again.
            let _ = unsafe { sys::cuEventDestroy_v2(self.event) };
        }
    }
}
