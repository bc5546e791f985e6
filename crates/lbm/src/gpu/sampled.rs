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
    /// Temperatures at the last look; empty without heat.
    seen_warm: Buffer<T>,
    /// Largest change, squared speed, density less one, and change of the temperature.
    most: Buffer<T>,
    /// Low 32 bits and higher bits of the sum of density less one.
    density_deviation: Buffer<u64>,
}

impl<T: Real> Sampled<T> {
    /// Nothing has been seen, as if the fluid had been at rest.
    pub(crate) fn new(gpu: &Gpu, cells: Watched, solid: &[u8], has_heat: bool) -> Result<Self> {
        let mut seen = gpu.zeros(3 * cells.len())?;
        let mut seen_warm = gpu.zeros(if has_heat { cells.len() } else { 0 })?;
        seen.clear()?;
        seen_warm.clear()?;
        Ok(Self {
            watch: Watch::new(&cells, !solid.is_empty()),
            solid: gpu.upload(solid)?,
            seen,
            seen_warm,
            most: gpu.zeros(4)?,
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
                value("heat", &device.heat.rates),
                value("watch", &self.watch),
                value("parity", &parity),
                self.solid.input("solid"),
                device.f.input("f"),
                device.heat.h.input("warm"),
                self.seen.output("seen"),
                self.seen_warm.output("seen_warm"),
                self.most.output("most"),
                self.density_deviation.output("density_deviation"),
            ],
        )?;
        let (mut most, mut density_deviation) = ([T::default(); 4], [0; 2]);
        self.most.read(&mut most)?;
        self.density_deviation.read(&mut density_deviation)?;
        // The higher bits are those of a number with a sign.
        let density_deviation =
            i128::from(density_deviation[0]) + (i128::from(density_deviation[1] as i64) << 32);
        let [change, square, deviation, warming] = most.map(Real::to_f64);
        Ok(MassAndChange { density_deviation, change, square, deviation, warming })
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

    /// Temperatures of watched cells at the last look.
    pub(crate) fn seen_warm(&self) -> Result<Vec<T>> {
        self.seen_warm.to_vec()
    }

    /// The reverse of `seen_warm`.
    pub(crate) fn set_seen_warm(&mut self, seen: &[T]) -> Result<()> {
        self.seen_warm.write(seen)
    }

    /// The reverse of `seen`.
    pub(crate) fn set_seen(&mut self, seen: &[[T; 3]]) -> Result<()> {
        let values: Vec<T> = (0..3).flat_map(|d| seen.iter().map(move |u| u[d])).collect();
        self.seen.write(&values)
    }
}
