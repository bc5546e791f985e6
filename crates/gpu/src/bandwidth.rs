//! How fast a device's memory is.

use vortice_core::Result;

use crate::gpu::Gpu;

/// Bytes of each of the two arrays, if they are free.
const BYTES: usize = 512 << 20;
const TRIES: usize = 5;

impl Gpu {
    /// The measured bandwidth of the memory: bytes read and written per second by a copy of half a
    /// gibibyte on the device (or of a quarter of what is free), the best of five.
    ///
    /// # Errors
    /// If the device fails or has no free memory.
    pub fn copy_bandwidth(&self) -> Result<f64> {
        let bytes = BYTES.min(self.free_memory()? / 4);
        let (from, mut to) = (self.zeros::<u8>(bytes)?, self.zeros::<u8>(bytes)?);
        to.copy_from(&from)?;
        let mut best = f64::INFINITY;
        for _ in 0..TRIES {
            let begin = self.event()?;
            to.copy_from(&from)?;
            best = best.min(self.event()?.seconds_since(&*begin)?);
        }
        Ok(2.0 * bytes as f64 / best)
    }
}
