//! Captured work.

use std::sync::Arc;

use cudarc::driver::sys::{self, CUstreamCaptureMode};
use vortice_core::Result;

use super::error::check;
use super::session::Session;
use crate::driver::Replay;

/// Captured work, ready to be launched.
pub(super) struct Graph {
    session: Arc<Session>,
    ready: sys::CUgraphExec,
}

// SAFETY: any thread may launch a graph, though not two at once: it has one owner and is not Sync.
#[allow(unsafe_code)]
unsafe impl Send for Graph {}

/// From now on work in the stream is captured. Other threads, with other ranks, are not disturbed.
#[allow(unsafe_code)]
pub(super) fn begin(session: &Session) -> Result<()> {
    let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
    // SAFETY: the stream exists.
    let code = unsafe { sys::cuStreamBeginCapture_v2(session.stream(), mode) };
    check(code, "beginning to capture a graph")
}

impl Graph {
    /// Ends the capture and makes the work ready on the device.
    #[allow(unsafe_code)]
    pub(super) fn end(session: &Arc<Session>) -> Result<Self> {
        let mut captured = std::ptr::null_mut();
        // SAFETY: the stream exists; a pointer is written to a local.
        let code = unsafe { sys::cuStreamEndCapture(session.stream(), &mut captured) };
        check(code, "capturing a graph")?;
        let mut ready = std::ptr::null_mut();
        // SAFETY: the graph exists until it is destroyed, once, after it was made ready.
        let code = unsafe {
            let code = sys::cuGraphInstantiateWithFlags(&mut ready, captured, 0);
            let _ = sys::cuGraphDestroy(captured);
            code
        };
        check(code, "making a graph ready")?;
        let graph = Self { session: Arc::clone(session), ready };
        // SAFETY: graph and stream exist.
        check(unsafe { sys::cuGraphUpload(ready, session.stream()) }, "loading a graph")?;
        Ok(graph)
    }
}

impl Replay for Graph {
    #[allow(unsafe_code)]
    fn launch(&self) -> Result<()> {
        self.session.enter()?;
        // SAFETY: graph and stream exist; what the graph uses is kept by its owner, the recorder.
        check(unsafe { sys::cuGraphLaunch(self.ready, self.session.stream()) }, "launching a graph")
    }
}

impl Drop for Graph {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // What the graph uses is given back next: its last launch must have ended.
        if self.session.enter().and_then(|()| self.session.wait()).is_ok() {
            // SAFETY: the graph exists and is not used again.
            let _ = unsafe { sys::cuGraphExecDestroy(self.ready) };
        }
    }
}
