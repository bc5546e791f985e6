//! What cycles over coarser grids keep.

use vortice_core::{Real, Result};
use vortice_gpu::{Buffer, Gpu};

/// What cycles keep beside the flow, as the processor's engine does; of no use where steps are none.
pub(crate) struct Cycles<T> {
    pub(super) begun: [Buffer<T>; 3],
    pub(super) kept: [Buffer<T>; 3],
    pub(super) asked: [Buffer<T>; 3],
    pub(super) pressure: [Buffer<T>; 2],
}

impl<T: Real> Cycles<T> {
    /// Arrays for so many values of so many components, and of each colour.
    pub(super) fn new(gpu: &Gpu, [components, values, colour]: [usize; 3]) -> Result<Self> {
        let velocity = || -> Result<[Buffer<T>; 3]> {
            let of = |a| gpu.zeros(if a < components { values } else { 1 });
            Ok([of(0)?, of(1)?, of(2)?])
        };
        let pressure = [gpu.zeros(colour)?, gpu.zeros(colour)?];
        let mut asked = velocity()?;
        asked.iter_mut().try_for_each(Buffer::clear)?;
        Ok(Self { begun: velocity()?, kept: velocity()?, asked, pressure })
    }
}
