//! What is kept of rounds of Anderson's acceleration on a device.

use vortice_core::Result;
use vortice_gpu::{Buffer, Gpu, value};
use vortice_linear::gpu::Layout;

use super::numbers::number;
use super::program::Kernels;

/// What rounds led to, and where the one that is not over began.
pub(super) struct KeptRounds {
    /// In m/s.
    pub(super) scale: f64,
    /// Velocity with which the round began, as a share of that, once one has.
    pub(super) begun: Option<Buffer<f64>>,
    pub(super) places: Vec<Kept>,
    /// Bits of the largest change of a launch.
    pub(super) largest: Buffer<i64>,
}

/// A flow or a difference of two, and how far the round went.
pub(super) struct Kept {
    pub(super) u: Buffer<f64>,
    pub(super) p: Buffer<f64>,
    pub(super) face_velocity: Buffer<f64>,
    pub(super) change: Buffer<f64>,
}

impl KeptRounds {
    pub(super) fn new(gpu: &Gpu, scale: f64) -> Result<Self> {
        Ok(Self { scale, begun: None, places: Vec::new(), largest: gpu.zeros(1)? })
    }
}

impl Kept {
    pub(super) fn arrays(&self) -> [&Buffer<f64>; 4] {
        [&self.u, &self.p, &self.face_velocity, &self.change]
    }

    pub(super) fn arrays_mut(&mut self) -> [&mut Buffer<f64>; 4] {
        [&mut self.u, &mut self.p, &mut self.face_velocity, &mut self.change]
    }

    /// The largest magnitude of its change.
    pub(super) fn largest(
        &self,
        kernels: &Kernels,
        layout: &Layout,
        found: &mut Buffer<i64>,
    ) -> Result<f64> {
        found.clear()?;
        kernels.largest_of_round.launch(
            layout.cells_in_turn(),
            &[value("layout", layout), self.change.input("change"), found.output("largest")],
        )?;
        read(found)
    }
}

/// The number whose bits a launch has found.
pub(super) fn read(largest: &Buffer<i64>) -> Result<f64> {
    let mut bits = [0];
    largest.read(&mut bits)?;
    Ok(number(bits[0]))
}
