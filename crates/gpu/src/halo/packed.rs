//! Messages of both sides in one array on the device.

use bytemuck::Pod;
use vortice_core::Result;

use super::arrays::{Arrays, MOST_ARRAYS};
use super::kernels::Kernels;
use super::places::{Places, TwoSides};
use crate::argument::{Argument, value};
use crate::buffer::Buffer;
use crate::gpu::Gpu;

/// Bytes of the largest number.
pub(super) const MOST_BYTES: usize = 8;

/// What is gathered into messages, and scattered from them.
pub(super) struct Packed {
    pub(super) peers: [Option<usize>; 2],
    pub(super) send: Places,
    pub(super) receive: Places,
}

impl Packed {
    pub(super) fn new(gpu: &Gpu, sides: &TwoSides) -> Result<Self> {
        let peers = sides.each_ref().map(|side| side.as_ref().map(|side| side.peer));
        Ok(Self { peers, send: Places::sent(gpu, sides)?, receive: Places::received(gpu, sides)? })
    }

    /// Room for the messages of as many arrays as there can be.
    pub(super) fn room(gpu: &Gpu, cells: usize) -> Result<Buffer<u8>> {
        gpu.zeros(cells * MOST_ARRAYS * MOST_BYTES)
    }

    pub(super) fn pack<T: Pod>(
        &self,
        kernels: &Kernels,
        arrays: &Arrays<'_, '_, T>,
        message: &mut Buffer<u8>,
    ) -> Result<()> {
        let shape = self.send.shape(arrays.count());
        let [first, second, third] = arrays.inputs();
        let message = numbers::<T>(message.output("message"));
        let Places { sides, places } = &self.send;
        let (sides, places) = (value("sides", sides), places.input("places"));
        kernels.pack.launch(shape, &[sides, message, first, second, third, places])
    }

    pub(super) fn unpack<T: Pod>(
        &self,
        kernels: &Kernels,
        arrays: &mut Arrays<'_, '_, T>,
        message: &Buffer<u8>,
    ) -> Result<()> {
        let shape = self.receive.shape(arrays.count());
        let [first, second, third] = arrays.outputs();
        let message = numbers::<T>(message.input("message"));
        let Places { sides, places } = &self.receive;
        let (sides, places) = (value("sides", sides), places.input("places"));
        kernels.unpack.launch(shape, &[sides, message, first, second, third, places])
    }
}

/// The message as numbers: the kernels see nothing else.
pub(crate) fn numbers<T>(message: Argument<'_>) -> Argument<'_> {
    Argument { size: size_of::<T>(), ..message }
}
