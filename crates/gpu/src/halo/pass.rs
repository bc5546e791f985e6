//! One pass of the exchange: the two sides of a direction.

use bytemuck::Pod;
use vortice_core::{Communicator, HaloSide, Result};

use super::arrays::Arrays;
use super::by_host::ByHost;
use super::by_nccl::ByNccl;
use super::by_peer::ByPeer;
use super::kernels::Kernels;
use super::places::{Places, TwoSides};
use crate::argument::value;
use crate::gpu::Gpu;
use crate::links::Way;

/// One pass of the exchange.
pub(super) enum Pass {
    /// A periodic direction that this rank has for itself: its own values fill its halos.
    Within { from: Places, to: Places },
    /// Messages to other ranks, by the ways that there are: what the device does alone comes first, as
    /// the host waits for it.
    Between(Box<Between>),
}

/// Messages to other ranks by each way.
pub(super) struct Between {
    peer: Option<ByPeer>,
    nccl: Option<ByNccl>,
    host: Option<ByHost>,
}

impl Pass {
    pub(super) fn new(gpu: &Gpu, sides: &TwoSides) -> Result<Self> {
        if sides.iter().flatten().all(|side| side.within) {
            // What arrives at one side has left by the other.
            let [low, high] = sides.each_ref().map(|side| side.as_ref().map(|side| &*side.send));
            let from = [high, low].map(Option::unwrap_or_default);
            return Ok(Self::Within {
                from: Places::new(gpu, from)?,
                to: Places::received(gpu, sides)?,
            });
        }
        let by = |way| {
            let goes = |side: &&HaloSide| way_to(gpu, side.peer) == way;
            let sides = sides.each_ref().map(|side| side.as_ref().filter(goes).cloned());
            sides.iter().any(Option::is_some).then_some(sides)
        };
        Ok(Self::Between(Box::new(Between {
            peer: by(Way::Peer).map(|sides| ByPeer::new(gpu, &sides)).transpose()?,
            nccl: by(Way::Nccl).map(|sides| ByNccl::new(gpu, &sides)).transpose()?,
            host: by(Way::Host).map(|sides| ByHost::new(gpu, &sides)).transpose()?,
        })))
    }

    pub(super) fn stays_on_device(&self) -> bool {
        match self {
            Self::Within { .. } => true,
            Self::Between(between) => between.host.is_none(),
        }
    }

    pub(super) fn exchange<T: Pod>(
        &mut self,
        kernels: &Kernels,
        ranks: &dyn Communicator,
        arrays: &mut Arrays<'_, '_, T>,
    ) -> Result<()> {
        match self {
            Self::Within { from, to } => {
                let (shape, sides) = (to.shape(arrays.count()), value("sides", &to.sides));
                let [first, second, third] = arrays.outputs();
                let (from, to) = (from.places.input("from"), to.places.input("to"));
                kernels.wrap.launch(shape, &[sides, first, second, third, from, to])
            }
            Self::Between(between) => {
                let Between { peer, nccl, host } = &mut **between;
                peer.as_mut().map_or(Ok(()), |peer| peer.exchange(kernels, arrays))?;
                nccl.as_mut().map_or(Ok(()), |nccl| nccl.exchange(kernels, arrays))?;
                host.as_mut().map_or(Ok(()), |host| host.exchange(kernels, ranks, arrays))
            }
        }
    }
}

/// How messages to a rank travel.
fn way_to(gpu: &Gpu, peer: usize) -> Way {
    gpu.links.as_ref().map_or(Way::Host, |links| links.way_to(peer))
}
