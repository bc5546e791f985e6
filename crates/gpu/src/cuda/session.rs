//! A GPU that is open: its context and our stream in it.

use cudarc::driver::sys;
use vortice_core::Result;

use super::error::check;
use super::presence::Device;

/// The device's primary context and a stream of our own. Several ranks of one process share the
/// context; each has its stream. Everything that was made in it holds it.
pub(super) struct Session {
    device: sys::CUdevice,
    context: sys::CUcontext,
    stream: sys::CUstream,
}

impl Session {
    #[allow(unsafe_code)]
    pub(super) fn open(device: &Device) -> Result<Self> {
        let mut context = std::ptr::null_mut();
        // SAFETY: the device exists; a pointer is written to a local.
        let code = unsafe { sys::cuDevicePrimaryCtxRetain(&mut context, device.0) };
        check(code, "opening the GPU")?;
        let mut session = Self { device: device.0, context, stream: std::ptr::null_mut() };
        session.enter()?;
        let flags = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: the context is current; a pointer is written to a local.
        let code = unsafe { sys::cuStreamCreate(&mut session.stream, flags) };
        check(code, "making a stream")?;
        Ok(session)
    }

    /// Makes the context current for this thread, as every use of CUDA needs.
    #[allow(unsafe_code)]
    pub(super) fn enter(&self) -> Result<()> {
        // SAFETY: the context is retained as long as this lives.
        check(unsafe { sys::cuCtxSetCurrent(self.context) }, "turning to the GPU")
    }

    pub(super) fn stream(&self) -> sys::CUstream {
        self.stream
    }

    /// Waits until all work in the stream is done.
    #[allow(unsafe_code)]
    pub(super) fn wait(&self) -> Result<()> {
        // SAFETY: the stream exists as long as this lives.
        check(unsafe { sys::cuStreamSynchronize(self.stream) }, "work on the GPU")
    }
}

impl Drop for Session {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if self.enter().is_ok() && !self.stream.is_null() {
            // SAFETY: the stream exists and is not used again.
            let _ = unsafe { sys::cuStreamDestroy_v2(self.stream) };
        }
        // SAFETY: it was retained once, and everything made in it is gone.
        let _ = unsafe { sys::cuDevicePrimaryCtxRelease_v2(self.device) };
    }
}
