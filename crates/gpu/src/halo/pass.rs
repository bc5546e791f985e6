//! One pass of the exchange: the two sides of a direction.

use bytemuck::Pod;
use vortice_core::{Communicator, Error, HaloSide, Result};

use super::by_host::ByHost;
use super::by_nccl::ByNccl;
use super::by_peer::ByPeer;
use super::sides::Sides;
use super::{Arrays, Kernels};
use crate::argument::value;
use crate::buffer::Buffer;
use crate::driver::Launch;
use crate::gpu::Gpu;
use crate::links::Way;

/// Threads of a block.
pub(super) const THREADS: u32 = 256;

/// The low and the high side.
pub(crate) type TwoSides = [Option<HaloSide>; 2];

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

/// Cells of both sides, the low side's first.
pub(super) struct Places {
    pub(super) sides: Sides,
    pub(super) places: Buffer<u32>,
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
        &self,
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
                let Between { peer, nccl, host } = &**between;
                peer.as_ref().map_or(Ok(()), |peer| peer.exchange(kernels, arrays))?;
                nccl.as_ref().map_or(Ok(()), |nccl| nccl.exchange(kernels, arrays))?;
                host.as_ref().map_or(Ok(()), |host| host.exchange(kernels, ranks, arrays))
            }
        }
    }
}

/// How messages to a rank travel.
fn way_to(gpu: &Gpu, peer: usize) -> Way {
    gpu.links.as_ref().map_or(Way::Host, |links| links.way_to(peer))
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

    fn new(gpu: &Gpu, [low, high]: [&[usize]; 2]) -> Result<Self> {
        let cells = low.iter().chain(high);
        let places: Result<Vec<u32>> = cells.map(|&place| narrow(place)).collect();
        let sides = Sides { low: narrow(low.len())?, high: narrow(high.len())? };
        Ok(Self { sides, places: gpu.upload(&places?)? })
    }

    /// A thread for every cell in a block row for every array.
    pub(super) fn shape(&self, arrays: usize) -> Launch {
        let shape = Launch::over([self.sides.cells(), 1, 1], [THREADS, 1, 1]);
        Launch { blocks: [shape.blocks[0], arrays as u32, 1], ..shape }
    }
}

fn narrow(place: usize) -> Result<u32> {
    u32::try_from(place).map_err(|_| Error::Device {
        problem: format!("a rank has more than {} cells with its halo", u32::MAX),
        remedy: "use more ranks".into(),
    })
}
