//! Messages through the host's memory, as between processors.

use std::cell::RefCell;

use bytemuck::Pod;
use vortice_core::{Communicator, Message, Result};

use super::arrays::Arrays;
use super::kernels::Kernels;
use super::packed::Packed;
use super::places::TwoSides;
use crate::buffer::Buffer;
use crate::gpu::Gpu;

/// Messages through the host.
pub(super) struct ByHost {
    packed: Packed,
    buffers: RefCell<Buffers>,
}

/// The messages of both sides, on the device and on the host.
struct Buffers {
    device: Buffer<u8>,
    send: Vec<u8>,
    receive: Vec<u8>,
}

impl ByHost {
    pub(super) fn new(gpu: &Gpu, sides: &TwoSides) -> Result<Self> {
        let packed = Packed::new(gpu, sides)?;
        let most = packed.send.sides.cells().max(packed.receive.sides.cells());
        let device = Packed::room(gpu, most)?;
        let buffers = RefCell::new(Buffers { device, send: Vec::new(), receive: Vec::new() });
        Ok(Self { packed, buffers })
    }

    pub(super) fn exchange<T: Pod>(
        &self,
        kernels: &Kernels,
        ranks: &dyn Communicator,
        arrays: &mut Arrays<'_, '_, T>,
    ) -> Result<()> {
        let buffers = &mut *self.buffers.borrow_mut();
        let bytes = arrays.count() * size_of::<T>();
        buffers.send.resize(self.packed.send.sides.cells() * bytes, 0);
        buffers.receive.resize(self.packed.receive.sides.cells() * bytes, 0);
        self.packed.pack(kernels, arrays, &mut buffers.device)?;
        buffers.device.read(&mut buffers.send)?;
        self.talk(ranks, &buffers.send, &mut buffers.receive, bytes)?;
        buffers.device.write_at(0, &buffers.receive)?;
        self.packed.unpack(kernels, arrays, &buffers.device)
    }

    /// Exchanges the messages of both sides; `bytes` is what one cell takes.
    fn talk(
        &self,
        ranks: &dyn Communicator,
        send: &[u8],
        receive: &mut [u8],
        bytes: usize,
    ) -> Result<()> {
        let Packed { peers, send: sent, receive: received } = &self.packed;
        let (send_low, send_high) = send.split_at(sent.sides.low as usize * bytes);
        let (low, high) = receive.split_at_mut(received.sides.low as usize * bytes);
        let sides = [(send_low, low), (send_high, high)].into_iter().enumerate();
        let messages = sides.zip(peers).filter_map(|((side, (send, receive)), peer)| {
            // The tags of the exchange on the processor: the side that a message leaves by.
            let (send_tag, receive_tag) = (side as u32, 1 - side as u32);
            Some(Message { peer: (*peer)?, send_tag, receive_tag, send, receive })
        });
        ranks.exchange(&mut messages.collect::<Vec<_>>())
    }
}
