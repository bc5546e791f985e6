//! Messages through the host's memory, as between processors.

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
    buffers: Buffers,
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
        Ok(Self { packed, buffers: Buffers { device, send: Vec::new(), receive: Vec::new() } })
    }

    pub(super) fn exchange<T: Pod>(
        &mut self,
        kernels: &Kernels,
        ranks: &dyn Communicator,
        arrays: &mut Arrays<'_, '_, T>,
    ) -> Result<()> {
        let Self { packed, buffers: Buffers { device, send, receive } } = self;
        let bytes = arrays.count() * size_of::<T>();
        send.resize(packed.send.sides.cells() * bytes, 0);
        receive.resize(packed.receive.sides.cells() * bytes, 0);
        packed.pack(kernels, arrays, device)?;
        device.read(send)?;
        packed.talk(ranks, send, receive, bytes)?;
        device.write_at(0, receive)?;
        packed.unpack(kernels, arrays, device)
    }
}

impl Packed {
    /// Exchanges the messages of both sides; `bytes` is what one cell takes.
    fn talk(
        &self,
        ranks: &dyn Communicator,
        send: &[u8],
        receive: &mut [u8],
        bytes: usize,
    ) -> Result<()> {
        let Self { peers, send: sent, receive: received } = self;
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
