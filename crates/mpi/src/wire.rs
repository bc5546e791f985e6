//! Messages of one kind, on a communicator of their own.

use std::mem::ManuallyDrop;
use std::time::{Duration, Instant};

use mpi::point_to_point::Message;
use mpi::request::{LocalScope, Request, scope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, Destination, Equivalence, Source};
use vortice_core::{Error, Result};

use crate::waiting::Waiting;

/// MPI counts bytes in 32 bits, so longer messages travel in pieces of this length and a shorter
/// last one, which may be empty.
pub(crate) const PIECE: usize = 1 << 30;

/// How long messages that were begun may take when a rank has failed.
const LAST_WISH: Duration = Duration::from_secs(5);

/// A message on its way; MPI holds its buffer.
pub(crate) type Pending<'a, 's> = Request<'a, [u8], &'s LocalScope<'a>>;

/// Messages that cannot meet those of another kind, whatever their tags.
///
/// A receive is begun when its message is already there: so lengths are known before anything is
/// written, and a rank that waits for nothing has nothing to take back.
pub(crate) struct Wire {
    /// To free it all ranks would have to meet, which they do not after a failure; it lives as long
    /// as the program.
    ranks: ManuallyDrop<SimpleCommunicator>,
    piece: usize,
}

impl Wire {
    pub(crate) fn new(world: &SimpleCommunicator, piece: usize) -> Self {
        Self { ranks: ManuallyDrop::new(world.duplicate()), piece }
    }

    pub(crate) fn rank(&self) -> usize {
        self.ranks.rank() as usize
    }

    pub(crate) fn size(&self) -> usize {
        self.ranks.size() as usize
    }

    /// Begins what `begin` begins and waits until all of it is done. `begin` returns messages on
    /// their way.
    ///
    /// # Errors
    /// If a rank gave up.
    pub(crate) fn together<'a>(
        &self,
        waiting: &mut Waiting<'_>,
        begin: impl for<'s> FnOnce(
            &'s LocalScope<'a>,
            &mut Vec<Pending<'a, 's>>,
            &mut Waiting<'_>,
        ) -> Result<()>,
    ) -> Result<()> {
        scope(|scope| {
            let mut pending = Vec::new();
            let begun = begin(scope, &mut pending, waiting);
            let done = begun.and_then(|()| complete(&mut pending, || waiting.pause()));
            if done.is_err() {
                self.last_wish(pending);
            }
            done
        })
    }

    /// Messages that were begun hold buffers of the caller: they must end, or the program does.
    fn last_wish(&self, mut pending: Vec<Pending<'_, '_>>) {
        let begin = Instant::now();
        let pause = || {
            std::thread::yield_now();
            if begin.elapsed() < LAST_WISH {
                return Ok(());
            }
            Err(Error::OtherRank { rank: self.rank() })
        };
        if complete(&mut pending, pause).is_err() {
            self.ranks.abort(3);
        }
    }

    /// Begins to send a message.
    pub(crate) fn send<'a, 's>(
        &self,
        scope: &'s LocalScope<'a>,
        peer: usize,
        tag: i32,
        bytes: &'a [u8],
        pending: &mut Vec<Pending<'a, 's>>,
    ) {
        let peer = self.ranks.process_at_rank(peer as i32);
        let last = bytes.len() / self.piece * self.piece;
        let (whole, rest) = bytes.split_at(last);
        for piece in whole.chunks(self.piece).chain([rest]) {
            pending.push(peer.immediate_send_with_tag(scope, piece, tag));
        }
    }

    /// Waits for a message and begins to receive it.
    ///
    /// # Errors
    /// If it has another length, or a rank gave up.
    pub(crate) fn receive<'a, 's>(
        &self,
        scope: &'s LocalScope<'a>,
        peer: usize,
        tag: i32,
        mut buffer: &'a mut [u8],
        pending: &mut Vec<Pending<'a, 's>>,
        waiting: &mut Waiting<'_>,
    ) -> Result<()> {
        loop {
            let (message, length) = self.next(peer, tag, waiting)?;
            let expected = buffer.len().min(self.piece);
            if length != expected {
                message.matched_receive_into(&mut vec![0_u8; length][..]);
                return Err(Error::another_length(peer));
            }
            let (piece, rest) = buffer.split_at_mut(expected);
            pending.push(message.immediate_matched_receive_into(scope, piece));
            if expected < self.piece {
                return Ok(());
            }
            buffer = rest;
        }
    }

    /// A message of any length.
    ///
    /// # Errors
    /// If a rank gave up.
    pub(crate) fn take(&self, peer: usize, tag: i32, waiting: &mut Waiting<'_>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            let (message, length) = self.next(peer, tag, waiting)?;
            let start = bytes.len();
            bytes.resize(start + length, 0);
            message.matched_receive_into(&mut bytes[start..]);
            if length < self.piece {
                return Ok(bytes);
            }
        }
    }

    /// Waits for the next piece; its length comes with it.
    fn next(&self, peer: usize, tag: i32, waiting: &mut Waiting<'_>) -> Result<(Message, usize)> {
        let peer = self.ranks.process_at_rank(peer as i32);
        loop {
            if let Some((message, status)) = peer.immediate_matched_probe_with_tag(tag) {
                let length = status.count(u8::equivalent_datatype());
                return Ok((message, length as usize));
            }
            waiting.pause()?;
        }
    }
}

/// Polls until all messages are done.
fn complete(
    pending: &mut Vec<Pending<'_, '_>>,
    mut pause: impl FnMut() -> Result<()>,
) -> Result<()> {
    loop {
        *pending = std::mem::take(pending).into_iter().filter_map(|one| one.test().err()).collect();
        if pending.is_empty() {
            return Ok(());
        }
        pause()?;
    }
}
