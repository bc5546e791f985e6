//! Single values of arrays on a device.

use std::sync::Arc;

use bytemuck::Pod;
use vortice_core::Result;

use crate::argument::value;
use crate::buffer::Buffer;
use crate::driver::Launch;
use crate::gpu::Gpu;
use crate::halo::kernels::Kernels;
use crate::halo::numbers;

/// Threads of a block.
const THREADS: u32 = 256;

/// Brings the values at certain places of an array to the host, and nothing else of it.
pub struct PlaceReader<T> {
    kernels: Arc<Kernels>,
    places: Buffer<i64>,
    values: Buffer<T>,
}

impl<T: Pod> PlaceReader<T> {
    /// Of these places, always in their order.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub fn new(gpu: &Gpu, places: &[usize]) -> Result<Self> {
        let numbers: Vec<i64> = places.iter().map(|&place| place as i64).collect();
        Ok(Self {
            kernels: gpu.halo_kernels(size_of::<T>())?,
            places: gpu.upload(&numbers)?,
            values: gpu.zeros(places.len())?,
        })
    }

    /// The values there, once all that was launched before is done.
    pub fn read(&mut self, array: &Buffer<T>) -> Result<Vec<T>> {
        if self.places.is_empty() {
            return Ok(Vec::new());
        }
        let count = self.places.len() as i64;
        self.kernels.read_places.launch(
            Launch::over([self.places.len(), 1, 1], [THREADS, 1, 1]),
            &[
                value("count", &count),
                self.places.input("places"),
                numbers::<T>(array.input("array")),
                numbers::<T>(self.values.output("values")),
            ],
        )?;
        self.values.to_vec()
    }
}
