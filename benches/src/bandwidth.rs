//! What the memory of a GPU can do.

use std::fmt;

use vortice_core::Result;
use vortice_gpu::{Gpu, Launch, Options, Program, value};

const PROGRAM: Program = Program {
    name: "bench",
    kernels: &[("bench/copy.cu", include_str!("../../kernels/bench/copy.cu"))],
    headers: &[("device.cuh", include_str!("../../kernels/device.cuh"))],
};

/// Values that are copied: far more than the caches hold.
const VALUES: usize = 1 << 28;

/// Values that one thread copies, in `copy.cu`.
const FEW: usize = 4;

/// Copies that are timed together, and how often; the fastest counts.
const COPIES: usize = 10;
const ROUNDS: usize = 5;

/// Bytes read and written per second.
pub struct Bandwidth {
    /// Name of the GPU.
    pub gpu: String,
    /// By the driver's copy.
    pub copy: f64,
    /// By a plain kernel.
    pub kernel: f64,
}

impl Bandwidth {
    /// Measures the first GPU.
    ///
    /// # Errors
    /// If there is none, or it fails.
    pub fn measure() -> Result<Self> {
        let gpu = Gpu::open(0, Options::default())?;
        let module =
            gpu.load(&PROGRAM, &[("REAL", "float".to_string()), ("DIRECTIONS", "2".to_string())])?;
        let kernel = module.kernel("copy")?;
        let from = gpu.upload(&vec![1.0_f32; VALUES])?;
        let mut to = gpu.zeros::<f32>(VALUES)?;
        let shape = Launch::over([VALUES / FEW, 1, 1], [256, 1, 1]);
        let bytes = (2 * COPIES * VALUES * size_of::<f32>()) as f64;
        let mut best: f64 = 0.0;
        for _ in 0..ROUNDS {
            let begin = gpu.event()?;
            for _ in 0..COPIES {
                let n = VALUES as i64;
                kernel.launch(shape, &[value("n", &n), from.input("from"), to.output("to")])?;
            }
            best = best.max(bytes / gpu.event()?.seconds_since(&*begin)?);
        }
        let name = gpu.properties().name.clone();
        Ok(Self { gpu: name, copy: gpu.copy_bandwidth()?, kernel: best })
    }
}

impl fmt::Display for Bandwidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [copy, kernel] = [self.copy, self.kernel].map(|rate| rate / 1e9);
        write!(
            f,
            "{}: {copy:.0} GB/s by the driver's copy, {kernel:.0} GB/s by a copy kernel",
            self.gpu
        )
    }
}
