//! Messages through NCCL, in the stream of the device.

use std::sync::Arc;

use bytemuck::Pod;
use vortice_core::{Error, Result};

use super::arrays::Arrays;
use super::kernels::Kernels;
use super::packed::Packed;
use super::places::TwoSides;
use super::sides::Sides;
use crate::buffer::Buffer;
use crate::driver::Address;
use crate::driver::{DeviceMessage, NcclComm};
use crate::gpu::Gpu;

/// Messages through NCCL.
pub(super) struct ByNccl {
    packed: Packed,
    nccl: Arc<dyn NcclComm>,
    /// The neighbours' numbers among the GPUs.
    peers: [Option<usize>; 2],
    /// What is sent and received.
    buffers: [Buffer<u8>; 2],
}

impl ByNccl {
    pub(super) fn new(gpu: &Gpu, sides: &TwoSides) -> Result<Self> {
        let packed = Packed::new(gpu, sides)?;
        let missing = || Error::Device {
            problem: "NCCL was agreed on and is not there".into(),
            remedy: "this is a mistake in the program; set ranks.transport = \"host\"".into(),
        };
        let links = gpu.links.as_ref().ok_or_else(missing)?;
        let nccl = links.nccl().ok_or_else(missing)?;
        let peers = packed.peers.map(|peer| peer.map(|rank| links.number_of_gpu(rank)));
        let sent = Packed::room(gpu, packed.send.sides.cells())?;
        let received = Packed::room(gpu, packed.receive.sides.cells())?;
        Ok(Self { packed, nccl, peers, buffers: [sent, received] })
    }

    pub(super) fn exchange<T: Pod>(
        &mut self,
        kernels: &Kernels,
        arrays: &mut Arrays<'_, '_, T>,
    ) -> Result<()> {
        let bytes = arrays.count() * size_of::<T>();
        self.packed.pack(kernels, arrays, &mut self.buffers[0])?;
        let [sent, received] = &self.buffers;
        let mut send = self.device_messages(sent.kept(), self.packed.send.sides, bytes);
        let mut receive = self.device_messages(received.kept(), self.packed.receive.sides, bytes);
        if self.peers[0] == self.peers[1] {
            // Two messages to the same neighbour arrive in the order in which they were sent: its
            // low side receives what left by our high side.
            send.reverse();
        }
        send.retain(|message_at| message_at.bytes > 0);
        receive.retain(|message_at| message_at.bytes > 0);
        self.nccl.exchange(&send, &receive)?;
        self.packed.unpack(kernels, arrays, received)
    }

    /// The messages of both sides in an array.
    fn device_messages(&self, at: Address, sides: Sides, bytes: usize) -> Vec<DeviceMessage> {
        let low = sides.low as usize * bytes;
        let both = [(at, low), (at + low as Address, sides.high as usize * bytes)];
        let device_messages = both.into_iter().zip(self.peers);
        device_messages
            .filter_map(|((at, bytes), peer)| Some(DeviceMessage { peer: peer?, at, bytes }))
            .collect()
    }
}
