//! Verbs are written down and done together, as soon as somebody asks for a result. A sequence that
//! comes again is captured, and from then on one launch does all of it.

use vortice_core::Result;
use vortice_gpu::{Gpu, Graph};

/// Graphs that are kept, those used last.
const MOST_GRAPHS: usize = 16;

/// Operations that one graph holds: about ten outer iterations.
const LONGEST: usize = 50;

/// A verb and what determines its launches; numbers that change from step to step lie in the
/// device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    BeginStep,
    Assemble,
    Sweeps {
        count: u32,
    },
    Interpolate,
    Cycles {
        count: u32,
        /// Whether the unknown is zero before.
        from_zero: bool,
    },
    Correct,
    Change,
}

/// What does operations on a device: as launches, which are captured if they shall become a graph.
pub(crate) trait Perform<O> {
    /// Launches an operation.
    ///
    /// # Errors
    /// If the device or another rank fails.
    fn perform(&mut self, operation: O) -> Result<()>;

    /// Where the launches go.
    fn gpu(&self) -> &Gpu;
}

/// Operations still to be done, and sequences that were.
pub(crate) struct Recorder<O> {
    pending: Vec<O>,
    /// The one used last at the end.
    known: Vec<Sequence<O>>,
}

struct Sequence<O> {
    operations: Vec<O>,
    /// From its second time on.
    graph: Option<Graph>,
}

impl<O> Default for Recorder<O> {
    fn default() -> Self {
        Self { pending: Vec::new(), known: Vec::new() }
    }
}

impl<O: Copy + PartialEq> Recorder<O> {
    /// Writes an operation down; says whether there are enough to be done.
    pub(crate) fn push(&mut self, operation: O) -> bool {
        self.pending.push(operation);
        self.pending.len() >= LONGEST
    }

    /// The operation written down last, if it is not done yet.
    pub(crate) fn last(&mut self) -> Option<&mut O> {
        self.pending.last_mut()
    }

    /// Does what is pending, launch by launch.
    ///
    /// # Errors
    /// If the device or another rank fails.
    pub(crate) fn perform(&mut self, device: &mut impl Perform<O>) -> Result<()> {
        let mut pending = std::mem::take(&mut self.pending).into_iter();
        pending.try_for_each(|operation| device.perform(operation))
    }

    /// Does what is pending: launch by launch if it was never done before, otherwise as a graph.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn replay(&mut self, device: &mut impl Perform<O>) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let same = |known: &Sequence<O>| known.operations == self.pending;
        let Some(place) = self.known.iter().position(same) else {
            self.remember(Sequence { operations: self.pending.clone(), graph: None });
            return self.perform(device);
        };
        let Sequence { operations, graph } = self.known.remove(place);
        let graph = match graph {
            Some(graph) => graph,
            None => {
                let gpu = device.gpu().clone();
                gpu.capture(|| self.perform(device))?
            }
        };
        self.pending.clear();
        graph.launch()?;
        self.remember(Sequence { operations, graph: Some(graph) });
        Ok(())
    }

    fn remember(&mut self, sequence: Sequence<O>) {
        if self.known.len() == MOST_GRAPHS {
            self.known.remove(0);
        }
        self.known.push(sequence);
    }
}
