//! What a coarser grid of a cycle keeps on a device; eqs. (L23) to (L25).

use vortice_core::Result;
use vortice_gpu::{Buffer, DeviceHalo, Gpu};

use super::numbers::PaddedCells;
use crate::coarser::{FLOW, Padded};
use crate::layout::Layout;
use crate::number::Packed;

/// What a coarser grid keeps beside its populations, as the processor's engine does.
pub(crate) struct Visit<T> {
    pub(crate) told: [Buffer<T>; 2],
    pub(crate) asked: [Buffer<T>; 2],
    pub(crate) padded: PaddedCells,
    pub(crate) halo: DeviceHalo,
    pub(crate) open: Buffer<T>,
    pub(crate) change: Buffer<T>,
}

impl<T: Packed> Visit<T> {
    /// Of cells that are laid out so on a lattice with so many velocities.
    pub(crate) fn new(
        gpu: &Gpu,
        layout: &Layout,
        velocities: usize,
        padded: Padded<T>,
    ) -> Result<Self> {
        let Padded { shape, halo, open } = padded;
        let cells: usize = layout.shape.cells.iter().product();
        let zeros = |count: usize| -> Result<Buffer<T>> {
            let mut values = gpu.zeros(count)?;
            values.clear()?;
            Ok(values)
        };
        let of_steps = layout.len(velocities);
        Ok(Self {
            told: [zeros(FLOW * cells)?, zeros(FLOW * cells)?],
            asked: [zeros(of_steps)?, zeros(of_steps)?],
            padded: PaddedCells::new(&shape),
            halo: DeviceHalo::of_components::<T>(gpu, &halo, [shape.len(), FLOW])?,
            open: gpu.upload(&open)?,
            change: zeros(FLOW * shape.len())?,
        })
    }
}
