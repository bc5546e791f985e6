//! Looking at the flow on a device: its mass, and how much it changed.

use vortice_core::{Real, Result};
use vortice_gpu::{Buffer, Gpu, value};

use super::device::Device;
use super::numbers::Watch;
use crate::engine::MassAndChange;
use crate::watch::Watched;

/// What a device remembers of the flow at the last look, and where it looks.
pub(crate) struct Sampled<T> {
    watch: Watch,
    cells: Watched,
    /// 1 where an own cell is solid, x fastest; empty if none is.
    solid: Buffer<u8>,
    /// Velocities at the last look, one component after the other, in cells per step.
    seen: Buffer<T>,
    /// Largest change, squared speed and density less one.
    most: Buffer<T>,
    /// Low 32 bits and higher bits of the sum of density less one.
    density_deviation: Buffer<u64>,
}

impl<T: Real> Sampled<T> {
    /// Nothing has been seen, as if the fluid had been at rest.
    pub(crate) fn new(gpu: &Gpu, cells: Watched, solid: &[u8]) -> Result<Self> {
        let mut seen = gpu.zeros(3 * cells.len())?;
        seen.clear()?;
        Ok(Self {
            watch: Watch::new(&cells, !solid.is_empty()),
            solid: gpu.upload(solid)?,
            seen,
            most: gpu.zeros(3)?,
            density_deviation: gpu.zeros(2)?,
            cells,
        })
    }

    /// Looks at the flow before the next step.
    pub(crate) fn mass_and_change<P: bytemuck::Pod>(
        &mut self,
        device: &Device<T, P>,
    ) -> Result<MassAndChange> {
        self.most.clear()?;
        self.density_deviation.clear()?;
        let parity = device.parity as i32;
        device.kernels.mass_and_change.launch(
            device.layout.planes_in_turn(),
            &[
                value("layout", &device.layout),
                value("rates", &device.rates),
                value("watch", &self.watch),
                value("parity", &parity),
                self.solid.input("solid"),
                device.f.input("f"),
                self.seen.output("seen"),
                self.most.output("most"),
                self.density_deviation.output("density_deviation"),
            ],
        )?;
        let (mut most, mut density_deviation) = ([T::default(); 3], [0; 2]);
        self.most.read(&mut most)?;
        self.density_deviation.read(&mut density_deviation)?;
        // The higher bits are those of a number with a sign.
        let density_deviation =
            i128::from(density_deviation[0]) + (i128::from(density_deviation[1] as i64) << 32);
        let [change, square, deviation] = most.map(Real::to_f64);
        Ok(MassAndChange { density_deviation, change, square, deviation, warming: 0.0 })
    }

    /// Cells that are watched.
    pub(crate) fn cells(&self) -> impl Iterator<Item = [isize; 3]> + use<T> {
        self.cells.cells()
    }

    /// Velocities of watched cells at the last look.
    pub(crate) fn seen(&self) -> Result<Vec<[T; 3]>> {
        let (values, count) = (self.seen.to_vec()?, self.cells.len());
        Ok((0..count).map(|n| std::array::from_fn(|d| values[d * count + n])).collect())
    }

    /// The reverse of `seen`.
    pub(crate) fn set_seen(&mut self, seen: &[[T; 3]]) -> Result<()> {
        let values: Vec<T> = (0..3).flat_map(|d| seen.iter().map(move |u| u[d])).collect();
        self.seen.write(&values)
    }
}
