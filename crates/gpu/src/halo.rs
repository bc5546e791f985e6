//! Halo exchange of arrays that lie on a device.

mod arrays;
mod boxes;
mod by_host;
mod by_nccl;
mod by_peer;
pub(crate) mod kernels;
mod packed;
mod pass;
mod places;
mod sides;

use std::sync::Arc;

use bytemuck::Pod;
use vortice_core::{Communicator, Halo, HaloSide, Result};

use crate::buffer::Buffer;
use crate::gpu::Gpu;

pub(crate) use arrays::Arrays;
use arrays::MOST_ARRAYS;
pub(crate) use by_peer::ByPeer;
use kernels::Kernels;
use pass::Pass;

/// The exchange of [`Halo`] for arrays on a device, with the same messages: the neighbours may be
/// processors or devices.
pub struct DeviceHalo {
    gpu: Gpu,
    /// None if there is nothing to exchange.
    kernels: Option<Arc<Kernels>>,
    passes: Vec<Pass>,
    /// Values that an array must have at least.
    extent: usize,
    stays_on_device: bool,
}

impl DeviceHalo {
    /// The exchange of a halo of values of so many bytes: 2, 4 or 8. Ranks whose GPUs have links make
    /// theirs at the same time.
    ///
    /// # Errors
    /// If the device fails, or a side has more values than 32 bits can number.
    pub fn new(gpu: &Gpu, halo: &Halo, bytes: usize) -> Result<Self> {
        let passes = halo.passes().iter().filter(|sides| sides.iter().any(Option::is_some));
        let passes = passes.map(|sides| Pass::new(gpu, sides)).collect::<Result<Vec<_>>>()?;
        let kernels = (!passes.is_empty()).then(|| gpu.halo_kernels(bytes)).transpose()?;
        let all = gpu.links.as_ref().is_none_or(|links| links.are_on_devices());
        let stays_on_device = all && passes.iter().all(Pass::stays_on_device);
        let places = halo.passes().iter().flatten().flatten();
        let places = places.flat_map(|side| side.send.iter().chain(&side.receive));
        let extent = places.max().map_or(0, |last| last + 1);
        Ok(Self { gpu: gpu.clone(), kernels, passes, extent, stays_on_device })
    }

    /// Whether there is nothing to exchange: no neighbours, no periodic direction.
    pub fn is_empty(&self) -> bool {
        self.passes.is_empty()
    }

    /// Whether the host has no part in it, so that the exchange can be captured in a graph: nothing
    /// leaves the device, or no rank of all sends anything through the host. Ranks that may put their
    /// work off must all be able to.
    pub fn stays_on_device(&self) -> bool {
        self.stays_on_device
    }

    /// The exchange of arrays that hold so many components one after the other, each of so many values,
    /// with the messages that a processor sends for as many arrays.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of_components<T: Pod>(
        gpu: &Gpu,
        halo: &Halo,
        [length, components]: [usize; 2],
    ) -> Result<Self> {
        let all = |places: &[usize]| {
            let of = |c: usize| places.iter().map(move |place| c * length + place);
            (0..components).flat_map(of).collect()
        };
        let every = |side: &HaloSide| HaloSide {
            send: all(&side.send),
            receive: all(&side.receive),
            ..*side
        };
        let sides = halo.passes().iter();
        let sides = sides.map(|pair| pair.each_ref().map(|side| side.as_ref().map(every)));
        Self::new(gpu, &Halo::of(sides.collect()), size_of::<T>())
    }

    /// Fills the halos of all arrays, at most three, from the neighbours' own values.
    ///
    /// # Panics
    /// If there are more than three arrays, or one is shorter than the halo's shape.
    pub fn exchange<T: Pod>(
        &mut self,
        ranks: &dyn Communicator,
        arrays: &mut [&mut Buffer<T>],
    ) -> Result<()> {
        assert!(arrays.len() <= MOST_ARRAYS, "at most {MOST_ARRAYS} arrays at once");
        assert!(
            arrays.iter().all(|array| array.len() >= self.extent),
            "an array is shorter than the halo's {} values",
            self.extent
        );
        let Some(kernels) = self.kernels.as_ref().filter(|_| !arrays.is_empty()) else {
            return Ok(());
        };
        let mut arrays = Arrays::new(&self.gpu, arrays)?;
        self.passes.iter_mut().try_for_each(|pass| pass.exchange(kernels, ranks, &mut arrays))
    }
}

#[cfg(test)]
mod tests;
