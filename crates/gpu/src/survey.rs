//! What there is to compute on.

use std::sync::Arc;

use vortice_core::{Communicator, Result, Threads, Transport};

use crate::driver::{Options, Properties, cuda, nvrtc};
use crate::gpu::Gpu;
use crate::links::Way;

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

/// How messages travel between the first `count` GPUs of this machine, if `ranks.transport` leaves the
/// choice open: the slowest way between two of them.
///
/// # Errors
/// If a GPU cannot be used.
pub fn way_between(count: usize) -> Result<Way> {
    let found = Threads::run(count, |rank| {
        let ranks: Arc<dyn Communicator> = Arc::new(rank);
        let gpu = ranks.agree(Gpu::open(ranks.rank(), Options::default()))?;
        Ok(Gpu::agree_on_links(Some(&gpu), ranks, Transport::Auto)?.slowest())
    })?;
    Ok(found[0])
}
