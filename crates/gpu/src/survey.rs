//! What there is to compute on.

use vortice_core::Result;

use crate::cuda;
use crate::driver::Properties;
use crate::gpu::Gpu;
use crate::nvrtc;
use crate::options::Options;

/// What CUDA needs and finds on this machine. Each error is one sentence that says what is missing.
pub struct Survey {
    /// The CUDA version that the driver is made for, such as "13.0".
    pub driver: Result<String>,
    /// The version of the run-time compiler.
    pub nvrtc: Result<String>,
    /// The GPUs; an error if none can be seen.
    pub gpus: Result<Vec<Found>>,
}

/// A GPU that is there.
pub struct Found {
    /// Its number, counted from 0: `cuda:0`.
    pub number: usize,
    /// What it is.
    pub properties: Result<Properties>,
    /// The GPU, open; or why it cannot be used.
    pub gpu: Result<Gpu>,
}

/// Looks for CUDA's driver, its compiler and GPUs, and opens each GPU.
pub fn survey() -> Survey {
    let text = |[major, minor]: [u32; 2]| format!("{major}.{minor}");
    Survey {
        driver: cuda::driver_version().map(text),
        nvrtc: nvrtc::version().map(text),
        gpus: cuda::count().map(|count| (0..count).map(found).collect()),
    }
}

fn found(number: usize) -> Found {
    let properties = cuda::Device::find(number).and_then(|device| device.properties());
    Found { number, properties, gpu: Gpu::open(number, Options::default()) }
}
