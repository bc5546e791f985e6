//! Arrays that all ranks put together, each on its device.

use std::sync::Arc;

use bytemuck::Pod;
use vortice_core::{HaloSide, Result};

use crate::buffer::Buffer;
use crate::gpu::Gpu;
use crate::halo::kernels::Kernels;
use crate::halo::{Arrays, ByPeer};
use crate::links::Way;

/// What every rank contributes to an array, on every rank's device, without the host.
pub struct DeviceGather {
    gpu: Gpu,
    kernels: Arc<Kernels>,
    /// Messages to and from the ranks so many places before and behind.
    rounds: Vec<ByPeer>,
}

impl DeviceGather {
    /// A gathering of the values at the places `mine` of one array: those of rank `r` are put to the
    /// places `theirs[r]` of another, of so many bytes each. All ranks make theirs
    /// at the same time; there is none unless all their GPUs reach each other's memory.
    ///
    /// # Errors
    /// If the device fails, or the places have more than 32 bits.
    pub fn new(
        gpu: &Gpu,
        mine: &[usize],
        theirs: &[Vec<usize>],
        bytes: usize,
    ) -> Result<Option<Self>> {
        let Some(links) = gpu.links().filter(|links| links.slowest() == Way::Peer) else {
            return Ok(None);
        };
        let (rank, size) = (links.rank(), theirs.len());
        let round = |distance: usize| {
            let [low, high] = [(rank + size - distance) % size, (rank + distance) % size];
            let side = |peer, send: &[usize], receive: &[usize]| {
                Some(HaloSide { peer, within: false, send: send.into(), receive: receive.into() })
            };
            // A rank that is on both sides, as this one itself: it gets one message.
            let sides = if low == high {
                [side(low, mine, &[]), side(high, &[], &theirs[high])]
            } else {
                [side(low, mine, &theirs[low]), side(high, mine, &theirs[high])]
            };
            ByPeer::new(gpu, &sides)
        };
        let rounds = (0..=size / 2).map(round).collect::<Result<_>>()?;
        Ok(Some(Self { gpu: gpu.clone(), kernels: gpu.halo_kernels(bytes)?, rounds }))
    }

    /// Puts the array `to` together from the arrays `from` of all ranks. Can be captured.
    pub fn gather<T: Pod>(&mut self, from: &mut Buffer<T>, to: &mut Buffer<T>) -> Result<()> {
        let given = &mut [from];
        let arrays = Arrays::new(&self.gpu, given)?;
        self.rounds.iter().try_for_each(|round| round.post(&self.kernels, &arrays))?;
        let given = &mut [to];
        let mut arrays = Arrays::new(&self.gpu, given)?;
        self.rounds.iter_mut().try_for_each(|round| round.collect(&self.kernels, &mut arrays))
    }
}
