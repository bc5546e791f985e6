//! Messages that devices write into each other's memory.

use bytemuck::Pod;
use vortice_core::Result;

use super::arrays::{Arrays, MOST_ARRAYS};
use super::boxes::{Boxes, FEW_BLOCKS, MOST_BLOCKS, SLOTS, blocks};
use super::kernels::Kernels;
use super::packed::{MOST_BYTES, numbers};
use super::places::{Places, THREADS, TwoSides};
use crate::argument::{Argument, value};
use crate::buffer::Buffer;
use crate::driver::{Address, Launch};
use crate::gpu::Gpu;
use crate::links::Reached;

/// Messages from device to device.
pub(crate) struct ByPeer {
    send: Places,
    receive: Places,
    blocks: [u32; 2],
    /// What this rank's low and high sides receive.
    own: [Own; 2],
    /// Where what leaves by the low and the high side goes: slots and flags of the neighbours' boxes.
    other: [Option<[Reached; 2]>; 2],
    /// Messages collected so far, by block.
    stamps: Buffer<u32>,
}

/// A box of this rank.
struct Own {
    slots: Buffer<u8>,
    flags: Buffer<u32>,
}

impl ByPeer {
    /// Neighbours make theirs at the same time.
    pub(crate) fn new(gpu: &Gpu, sides: &TwoSides) -> Result<Self> {
        let (send, receive) = (Places::sent(gpu, sides)?, Places::received(gpu, sides)?);
        let cells =
            [send.sides, receive.sides].map(|sides| [sides.low as usize, sides.high as usize]);
        let blocks = [0, 1].map(|side| match sides[side] {
            None => 0,
            Some(_) => blocks([cells[0][side], cells[1][side]]),
        });
        let own = [Own::new(gpu, cells[1][0])?, Own::new(gpu, cells[1][1])?];
        let offered = own.each_ref().map(|own| [own.slots.address(), own.flags.address()]);
        let neighbours = sides.each_ref().map(|side| side.as_ref().map(|side| side.peer));
        let other = match &gpu.links {
            Some(links) => links.trade(&gpu.stream, neighbours, offered)?,
            None => [None, None],
        };
        let stamps = gpu.zeros_apart(2 * MOST_BLOCKS)?;
        Ok(Self { send, receive, blocks, own, other, stamps })
    }

    /// Sends the messages and receives the neighbours'.
    pub(super) fn exchange<T: Pod>(
        &mut self,
        kernels: &Kernels,
        arrays: &mut Arrays<'_, '_, T>,
    ) -> Result<()> {
        if self.blocks[0] + self.blocks[1] <= FEW_BLOCKS {
            return self.trade(kernels, arrays);
        }
        self.post(kernels, arrays)?;
        self.collect(kernels, arrays)
    }

    /// Both in one launch, whose blocks must all run at the same time.
    fn trade<T: Pod>(&mut self, kernels: &Kernels, arrays: &mut Arrays<'_, '_, T>) -> Result<()> {
        let shape = Launch { cooperative: true, ..self.shape() };
        let there = [0, 1].map(|side| [0, 1].map(|what| self.there(side, what)));
        let sent = self.boxes::<T>(&self.send, arrays.count());
        let received = self.boxes::<T>(&self.receive, arrays.count());
        let [first, second, third] = arrays.outputs();
        let [low, high] = &self.own;
        kernels.trade.launch(
            shape,
            &[
                value("sent", &sent),
                value("received", &received),
                first,
                second,
                third,
                self.send.places.input("sent_places"),
                self.receive.places.input("received_places"),
                self.stamps.output("stamps"),
                Argument::elsewhere::<T>("low_there", there[0][0]),
                Argument::elsewhere::<T>("high_there", there[1][0]),
                Argument::elsewhere::<u32>("low_flags_there", there[0][1]),
                Argument::elsewhere::<u32>("high_flags_there", there[1][1]),
                numbers::<T>(low.slots.input("low")),
                numbers::<T>(high.slots.input("high")),
                low.flags.input("low_flags"),
                high.flags.input("high_flags"),
            ],
        )
    }

    /// Where the slots (0) or flags (1) of the box beyond a side are.
    fn there(&self, side: usize, what: usize) -> Address {
        self.other[side].as_ref().map_or(0, |other| other[what].at())
    }

    /// Sends the messages; each kind of them is then collected before the next is sent.
    pub(crate) fn post<T: Pod>(&self, kernels: &Kernels, arrays: &Arrays<'_, '_, T>) -> Result<()> {
        let [first, second, third] = arrays.inputs();
        kernels.post.launch(
            self.shape(),
            &[
                value("boxes", &self.boxes::<T>(&self.send, arrays.count())),
                first,
                second,
                third,
                self.send.places.input("places"),
                self.stamps.input("stamps"),
                Argument::elsewhere::<T>("low", self.there(0, 0)),
                Argument::elsewhere::<T>("high", self.there(1, 0)),
                Argument::elsewhere::<u32>("low_flags", self.there(0, 1)),
                Argument::elsewhere::<u32>("high_flags", self.there(1, 1)),
            ],
        )
    }

    /// Receives those that the neighbours sent.
    pub(crate) fn collect<T: Pod>(
        &mut self,
        kernels: &Kernels,
        arrays: &mut Arrays<'_, '_, T>,
    ) -> Result<()> {
        let (shape, boxes) = (self.shape(), self.boxes::<T>(&self.receive, arrays.count()));
        let [first, second, third] = arrays.outputs();
        let [low, high] = &self.own;
        kernels.collect.launch(
            shape,
            &[
                value("boxes", &boxes),
                numbers::<T>(low.slots.input("low")),
                numbers::<T>(high.slots.input("high")),
                low.flags.input("low_flags"),
                high.flags.input("high_flags"),
                self.receive.places.input("places"),
                first,
                second,
                third,
                self.stamps.output("stamps"),
            ],
        )
    }

    /// A block for each part of the messages.
    fn shape(&self) -> Launch {
        let blocks = self.blocks[0] + self.blocks[1];
        Launch { blocks: [blocks, 1, 1], threads: [THREADS, 1, 1], shared: 0, cooperative: false }
    }

    fn boxes<T>(&self, places: &Places, arrays: usize) -> Boxes {
        let cells = [places.sides.low, places.sides.high];
        let room = cells.map(|cells| (bytes_of_slot(cells as usize) / size_of::<T>()) as i64);
        Boxes { cells, blocks: self.blocks, room, arrays: arrays as i64 }
    }
}

/// Bytes for a message of as many arrays as there can be.
fn bytes_of_slot(cells: usize) -> usize {
    cells * MOST_ARRAYS * MOST_BYTES
}

impl Own {
    fn new(gpu: &Gpu, cells: usize) -> Result<Self> {
        let slots = gpu.zeros_apart(SLOTS * bytes_of_slot(cells))?;
        Ok(Self { slots, flags: gpu.zeros_apart(MOST_BLOCKS)? })
    }
}
