//! One pass of the exchange: the two sides of a direction.

use std::cell::RefCell;

use bytemuck::Pod;
use vortice_core::{Communicator, Error, HaloSide, Message, Result};

use super::sides::Sides;
use super::{Arrays, Kernels, MOST_ARRAYS};
use crate::argument::{Argument, value};
use crate::buffer::Buffer;
use crate::driver::Launch;
use crate::gpu::Gpu;

const THREADS: u32 = 256;
/// Bytes of the largest number.
const MOST_BYTES: usize = 8;

/// One pass of the exchange.
pub(super) enum Pass {
    /// A periodic direction that this rank has for itself: its own values fill its halos.
    Within { from: Places, to: Places },
    /// Messages to other ranks.
    Between(Box<Between>),
}

/// Cells of both sides, the low side's first.
pub(super) struct Places {
    sides: Sides,
    places: Buffer<u32>,
}

pub(super) struct Between {
    peers: [Option<usize>; 2],
    send: Places,
    receive: Places,
    buffers: RefCell<Buffers>,
}

/// The messages of both sides, on the device and on the host.
struct Buffers {
    device: Buffer<u8>,
    send: Vec<u8>,
    receive: Vec<u8>,
}

impl Pass {
    pub(super) fn new(gpu: &Gpu, sides: &[Option<HaloSide>; 2]) -> Result<Self> {
        let send = |side: usize| sides[side].as_ref().map_or(&[][..], |side| &side.send);
        let receive = |side: usize| sides[side].as_ref().map_or(&[][..], |side| &side.receive);
        let receive_places = Places::new(gpu, [receive(0), receive(1)])?;
        if sides.iter().flatten().all(|side| side.within) {
            // What arrives at one side has left by the other.
            let from = Places::new(gpu, [send(1), send(0)])?;
            return Ok(Self::Within { from, to: receive_places });
        }
        let peers = [0, 1].map(|side| sides[side].as_ref().map(|side| side.peer));
        let send = Places::new(gpu, [send(0), send(1)])?;
        let most = send.sides.cells().max(receive_places.sides.cells());
        let device = gpu.zeros(most * MOST_ARRAYS * MOST_BYTES)?;
        let buffers = RefCell::new(Buffers { device, send: Vec::new(), receive: Vec::new() });
        Ok(Self::Between(Box::new(Between { peers, send, receive: receive_places, buffers })))
    }

    pub(super) fn stays_on_device(&self) -> bool {
        matches!(self, Self::Within { .. })
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
            Self::Between(between) => between.exchange(kernels, ranks, arrays),
        }
    }
}

impl Between {
    fn exchange<T: Pod>(
        &self,
        kernels: &Kernels,
        ranks: &dyn Communicator,
        arrays: &mut Arrays<'_, '_, T>,
    ) -> Result<()> {
        let buffers = &mut *self.buffers.borrow_mut();
        let bytes = arrays.count() * size_of::<T>();
        buffers.send.resize(self.send.sides.cells() * bytes, 0);
        buffers.receive.resize(self.receive.sides.cells() * bytes, 0);
        self.pack(kernels, arrays, &mut buffers.device)?;
        buffers.device.read(&mut buffers.send)?;
        self.talk(ranks, &buffers.send, &mut buffers.receive, bytes)?;
        buffers.device.write_at(0, &buffers.receive)?;
        self.unpack(kernels, arrays, &buffers.device)
    }

    fn pack<T: Pod>(
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

    fn unpack<T: Pod>(
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

    /// Exchanges the messages of both sides; `bytes` is what one cell takes.
    fn talk(
        &self,
        ranks: &dyn Communicator,
        send: &[u8],
        receive: &mut [u8],
        bytes: usize,
    ) -> Result<()> {
        let (send_low, send_high) = send.split_at(self.send.sides.low as usize * bytes);
        let (low, high) = receive.split_at_mut(self.receive.sides.low as usize * bytes);
        let sides = [(send_low, low), (send_high, high)].into_iter().enumerate();
        let messages = sides.zip(self.peers).filter_map(|((side, (send, receive)), peer)| {
            // The tags of the exchange on the processor: the side that a message leaves by.
            let (send_tag, receive_tag) = (side as u32, 1 - side as u32);
            Some(Message { peer: peer?, send_tag, receive_tag, send, receive })
        });
        ranks.exchange(&mut messages.collect::<Vec<_>>())
    }
}

/// The message as numbers: the kernels see nothing else.
fn numbers<T>(message: Argument<'_>) -> Argument<'_> {
    Argument { size: size_of::<T>(), ..message }
}

impl Places {
    fn new(gpu: &Gpu, [low, high]: [&[usize]; 2]) -> Result<Self> {
        let cells = low.iter().chain(high);
        let places: Result<Vec<u32>> = cells.map(|&place| narrow(place)).collect();
        let sides = Sides { low: narrow(low.len())?, high: narrow(high.len())? };
        Ok(Self { sides, places: gpu.upload(&places?)? })
    }

    /// A thread for every cell in a block row for every array.
    fn shape(&self, arrays: usize) -> Launch {
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
