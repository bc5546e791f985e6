//! Messages through NCCL, in the stream of the device.

use std::cell::RefCell;
use std::rc::Rc;

use bytemuck::Pod;
use vortice_core::{Error, Result};

use super::arrays::Arrays;
use super::kernels::Kernels;
use super::packed::Packed;
use super::places::TwoSides;
use super::sides::Sides;
use crate::buffer::Buffer;
use crate::driver::Address;
use crate::gpu::Gpu;
use crate::links::{Messenger, Parcel};

/// Messages through NCCL.
pub(super) struct ByNccl {
    packed: Packed,
    messenger: Rc<dyn Messenger>,
    /// The neighbours' numbers among the GPUs.
    peers: [Option<usize>; 2],
    /// What is sent and received.
    buffers: RefCell<[Buffer<u8>; 2]>,
}

impl ByNccl {
    pub(super) fn new(gpu: &Gpu, sides: &TwoSides) -> Result<Self> {
        let packed = Packed::new(gpu, sides)?;
        let missing = || Error::Device {
            problem: "NCCL was agreed on and is not there".into(),
            remedy: "this is a mistake in the program; set ranks.transport = \"host\"".into(),
        };
        let links = gpu.links.as_ref().ok_or_else(missing)?;
        let messenger = links.messenger().ok_or_else(missing)?;
        let peers = packed.peers.map(|peer| peer.map(|rank| links.number_of_gpu(rank)));
        let sent = Packed::room(gpu, packed.send.sides.cells())?;
        let received = Packed::room(gpu, packed.receive.sides.cells())?;
        Ok(Self { packed, messenger, peers, buffers: RefCell::new([sent, received]) })
    }

    pub(super) fn exchange<T: Pod>(
        &self,
        kernels: &Kernels,
        arrays: &mut Arrays<'_, '_, T>,
    ) -> Result<()> {
        let [sent, received] = &mut *self.buffers.borrow_mut();
        let bytes = arrays.count() * size_of::<T>();
        self.packed.pack(kernels, arrays, sent)?;
        let mut send = self.parcels(sent.kept(), self.packed.send.sides, bytes);
        let mut receive = self.parcels(received.kept(), self.packed.receive.sides, bytes);
        if self.peers[0] == self.peers[1] {
            // Two messages to the same neighbour arrive in the order in which they were sent: its
            // low side receives what left by our high side.
            send.reverse();
        }
        send.retain(|parcel| parcel.bytes > 0);
        receive.retain(|parcel| parcel.bytes > 0);
        self.messenger.exchange(&send, &receive)?;
        self.packed.unpack(kernels, arrays, received)
    }

    /// The messages of both sides in an array.
    fn parcels(&self, at: Address, sides: Sides, bytes: usize) -> Vec<Parcel> {
        let low = sides.low as usize * bytes;
        let both = [(at, low), (at + low as Address, sides.high as usize * bytes)];
        let parcels = both.into_iter().zip(self.peers);
        parcels.filter_map(|((at, bytes), peer)| Some(Parcel { peer: peer?, at, bytes })).collect()
    }
}
