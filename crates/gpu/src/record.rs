//! Operations are written down and done together, as soon as a result is asked for. A sequence that
//! comes again is captured, and from then on one launch does all of it. One that is new is done in
//! pieces that are captured likewise, so that who asks out of turn does not pay for each launch.

use vortice_core::Result;

use crate::gpu::Gpu;
use crate::graph::Graph;

/// Graphs that are kept, those used last.
const MOST_GRAPHS: usize = 64;

/// What does operations of a kind on a device: as launches, which are captured if they shall become a
/// graph. An operation says all that determines its launches; numbers that change from step to step lie
/// in the device's memory.
pub trait Perform<O> {
    /// Launches an operation.
    fn perform(&mut self, operation: O) -> Result<()>;

    /// Where the launches go.
    fn gpu(&self) -> &Gpu;

    /// Whether operations can be captured: the host has no part in them.
    fn can_be_captured(&self) -> bool;

    /// Which of two places holds what operations begin with, where they change that: a graph belongs to
    /// one of them.
    fn parity(&self) -> usize {
        0
    }

    /// Takes note that a graph has been done, which ends with this parity.
    fn set_parity(&mut self, _parity: usize) {}
}

/// Operations still to be done, and sequences that were.
pub struct Recorder<O> {
    /// Operations that one graph holds at most.
    longest: usize,
    pending: Vec<O>,
    /// The one used last at the end.
    known: Vec<Sequence<O>>,
}

struct Sequence<O> {
    operations: Vec<O>,
    /// Parity before it.
    parity: usize,
    /// From its second time on, and the parity after it.
    graph: Option<(Graph, usize)>,
}

impl<O> Default for Recorder<O> {
    /// One that holds any number of operations.
    fn default() -> Self {
        Self { longest: usize::MAX, pending: Vec::new(), known: Vec::new() }
    }
}

impl<O: Copy + PartialEq> Recorder<O> {
    /// Nothing is written down; `longest` operations are done together at most.
    pub fn new(longest: usize) -> Self {
        Self { longest, ..Self::default() }
    }

    /// Writes an operation down. It is done at once if it cannot be captured, since between its launches
    /// the host has to speak to other ranks.
    pub fn record(&mut self, operation: O, device: &mut impl Perform<O>) -> Result<()> {
        self.pending.push(operation);
        let waits = self.pending.len() < self.longest && device.can_be_captured();
        if waits { Ok(()) } else { self.flush(device) }
    }

    /// The operation written down last, if it is not done yet.
    pub fn last(&mut self) -> Option<&mut O> {
        self.pending.last_mut()
    }

    /// Does what is pending: as a graph if it was done before, otherwise in pieces, of which the largest comes first: each as
    /// a graph, or launch by launch if it is new as well.
    pub fn flush(&mut self, device: &mut impl Perform<O>) -> Result<()> {
        if self.pending.is_empty() || !device.can_be_captured() {
            return self.perform(device);
        }
        if self.replay(device)? {
            return Ok(());
        }
        let all = std::mem::take(&mut self.pending);
        let mut rest = &all[..];
        while !rest.is_empty() {
            let piece;
            (piece, rest) = rest.split_at(1 << rest.len().ilog2());
            self.pending.extend_from_slice(piece);
            if piece.len() == all.len() || !self.replay(device)? {
                self.perform(device)?;
            }
        }
        Ok(())
    }

    /// Does what is pending as a graph, if it was done before; else keeps it in mind.
    fn replay(&mut self, device: &mut impl Perform<O>) -> Result<bool> {
        let parity = device.parity();
        let same = |known: &Sequence<O>| known.operations == self.pending && known.parity == parity;
        let Some(place) = self.known.iter().position(same) else {
            self.remember(Sequence { operations: self.pending.clone(), parity, graph: None });
            return Ok(false);
        };
        let mut sequence = self.known.remove(place);
        let (graph, parity) = match sequence.graph.take() {
            Some(known) => known,
            None => {
                let gpu = device.gpu().clone();
                (gpu.capture(|| self.perform(device))?, device.parity())
            }
        };
        self.pending.clear();
        graph.launch()?;
        device.set_parity(parity);
        self.remember(Sequence { graph: Some((graph, parity)), ..sequence });
        Ok(true)
    }

    /// Does what is pending, launch by launch.
    fn perform(&mut self, device: &mut impl Perform<O>) -> Result<()> {
        self.pending.drain(..).try_for_each(|operation| device.perform(operation))
    }

    fn remember(&mut self, sequence: Sequence<O>) {
        if self.known.len() == MOST_GRAPHS {
            // What came once only, and not lately, may never come again.
            let once = self.known[..MOST_GRAPHS / 2].iter().position(|known| known.graph.is_none());
            self.known.remove(once.unwrap_or(0));
        }
        self.known.push(sequence);
    }
}
