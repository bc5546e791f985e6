//! Where the values of both sides lie that leave, or arrive.

use vortice_core::{Error, HaloSide, Result};

use super::sides::Sides;
use crate::buffer::Buffer;
use crate::driver::Launch;
use crate::gpu::Gpu;

/// Threads of a block.
pub(super) const THREADS: u32 = 256;

/// The low and the high side.
pub(crate) type TwoSides = [Option<HaloSide>; 2];

/// Cells of both sides, the low side's first.
pub(super) struct Places {
    pub(super) sides: Sides,
    pub(super) places: Buffer<i64>,
}

impl Places {
    pub(super) fn sent(gpu: &Gpu, sides: &TwoSides) -> Result<Self> {
        Self::new(
            gpu,
            sides.each_ref().map(|side| side.as_ref().map_or(&[][..], |side| &side.send)),
        )
    }

    pub(super) fn received(gpu: &Gpu, sides: &TwoSides) -> Result<Self> {
        let places = sides.each_ref().map(|side| side.as_ref().map(|side| &*side.receive));
        Self::new(gpu, places.map(Option::unwrap_or_default))
    }

    pub(super) fn new(gpu: &Gpu, [low, high]: [&[usize]; 2]) -> Result<Self> {
        let places: Vec<i64> = low.iter().chain(high).map(|&place| place as i64).collect();
        let sides = Sides { low: narrow(low.len())?, high: narrow(high.len())? };
        Ok(Self { sides, places: gpu.upload(&places)? })
    }

    /// A thread for every cell in a block row for every array.
    pub(super) fn shape(&self, arrays: usize) -> Launch {
        let shape = Launch::over([self.sides.cells(), 1, 1], [THREADS, 1, 1]);
        Launch { blocks: [shape.blocks[0], arrays as u32, 1], ..shape }
    }
}

fn narrow(cells: usize) -> Result<u32> {
    u32::try_from(cells).map_err(|_| Error::Device {
        problem: format!("a rank sends {cells} values at a time, more than 32 bits can number"),
        remedy: "use more ranks".into(),
    })
}
