//! A GPU that is open: its context and our stream in it.

use std::sync::atomic::{AtomicBool, Ordering};

use cudarc::driver::sys;
use vortice_core::Result;

use super::error::check;
use super::presence::Device;

/// The device's primary context and two streams of our own. Several ranks of one process share the
/// context; each has its stream. Everything that was made in it holds it.
pub(super) struct Session {
    device: sys::CUdevice,
    context: sys::CUcontext,
    /// The first and the second stream.
    streams: [sys::CUstream; 2],
    /// Marks where one of them waits for the other.
    turns: [sys::CUevent; 2],
    is_forked: AtomicBool,
}

// SAFETY: CUDA's driver may be called by any thread, and by several at once; streams and events belong to
// the context, and each use makes it current for the thread that it is in.
#[allow(unsafe_code)]
unsafe impl Send for Session {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for Session {}

impl Session {
    #[allow(unsafe_code)]
    pub(super) fn open(device: &Device) -> Result<Self> {
        let mut context = std::ptr::null_mut();
        // SAFETY: the device exists; a pointer is written to a local.
        let code = unsafe { sys::cuDevicePrimaryCtxRetain(&mut context, device.0) };
        check(code, "opening the GPU")?;
        let (streams, turns) = ([std::ptr::null_mut(); 2], [std::ptr::null_mut(); 2]);
        let mut session =
            Self { device: device.0, context, streams, turns, is_forked: AtomicBool::new(false) };
        session.enter()?;
        let flags = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // What is done in the second is waited for by others: it goes first where there is room.
        for (stream, priority) in session.streams.iter_mut().zip([0, -1]) {
            // SAFETY: the context is current; a pointer is written to a field.
            let code = unsafe { sys::cuStreamCreateWithPriority(stream, flags, priority) };
            check(code, "making a stream")?;
        }
        let flags = sys::CUevent_flags::CU_EVENT_DISABLE_TIMING as u32;
        for turn in &mut session.turns {
            // SAFETY: the context is current; a pointer is written to a field.
            check(unsafe { sys::cuEventCreate(turn, flags) }, "making an event")?;
        }
        Ok(session)
    }

    /// Work goes to the second stream, behind all work so far; the context is current.
    pub(super) fn fork_stream(&self) -> Result<()> {
        self.wait_in(1)?;
        self.is_forked.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Work goes to the first stream again.
    pub(super) fn leave_fork(&self) {
        self.is_forked.store(false, Ordering::Relaxed);
    }

    /// The first stream waits for the second; the context is current.
    pub(super) fn join_stream(&self) -> Result<()> {
        self.wait_in(0)
    }

    /// One stream waits for all work so far in the other.
    #[allow(unsafe_code)]
    fn wait_in(&self, which: usize) -> Result<()> {
        let (waiting, other, turn) =
            (self.streams[which], self.streams[1 - which], self.turns[which]);
        // SAFETY: streams and event exist, of the same context.
        let code = unsafe { sys::cuEventRecord(turn, other) };
        check(code, "setting an event")?;
        // SAFETY: as above.
        check(unsafe { sys::cuStreamWaitEvent(waiting, turn, 0) }, "waiting for a stream")
    }

    pub(super) fn device(&self) -> sys::CUdevice {
        self.device
    }

    /// Makes the context current for this thread, as every use of CUDA needs.
    #[allow(unsafe_code)]
    pub(super) fn enter(&self) -> Result<()> {
        // SAFETY: the context is retained as long as this lives.
        check(unsafe { sys::cuCtxSetCurrent(self.context) }, "turning to the GPU")
    }

    pub(super) fn stream(&self) -> sys::CUstream {
        self.streams[usize::from(self.is_forked.load(Ordering::Relaxed))]
    }

    /// Waits until all work in the stream is done.
    #[allow(unsafe_code)]
    pub(super) fn wait(&self) -> Result<()> {
        // SAFETY: the stream exists as long as this lives.
        check(unsafe { sys::cuStreamSynchronize(self.stream()) }, "work on the GPU")
    }
}

impl Drop for Session {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if self.enter().is_ok() {
            for stream in self.streams.into_iter().filter(|stream| !stream.is_null()) {
                // SAFETY: the stream exists and is not used again.
                let _ = unsafe { sys::cuStreamDestroy_v2(stream) };
            }
            for turn in self.turns.into_iter().filter(|turn| !turn.is_null()) {
                // SAFETY: the event exists and is not used again.
                let _ = unsafe { sys::cuEventDestroy_v2(turn) };
            }
        }
        // SAFETY: it was retained once, and everything made in it is gone.
        let _ = unsafe { sys::cuDevicePrimaryCtxRelease_v2(self.device) };
    }
}
