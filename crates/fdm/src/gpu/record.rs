//! Verbs are written down and done together, as soon as somebody asks for a result. A sequence that
//! comes again is captured, and from then on one launch does all of it.

use vortice_core::Result;
use vortice_gpu::{Gpu, Graph};

/// Graphs that are kept, those used last.
const MOST_GRAPHS: usize = 64;

/// A verb and what determines its launches; numbers that change from step to step lie in the
/// device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Predict,
    Divergence,
    /// `omega` as bits.
    Relax {
        omega: u64,
        iterations: u32,
    },
    /// One iteration; `omega` as bits.
    RelaxAndMeasure {
        omega: u64,
    },
    Residual,
    Squares,
    Project,
}

/// Operations still to be done, and sequences that were.
#[derive(Default)]
pub(crate) struct Recorder {
    pending: Vec<Operation>,
    /// The one used last at the end.
    known: Vec<Sequence>,
}

struct Sequence {
    operations: Vec<Operation>,
    /// From its second time on.
    graph: Option<Graph>,
}

impl Recorder {
    /// Writes an operation down.
    pub(crate) fn push(&mut self, operation: Operation) {
        self.pending.push(operation);
    }

    /// Does what is pending, launch by launch.
    ///
    /// # Errors
    /// As `perform`.
    pub(crate) fn perform(&mut self, perform: impl FnMut(Operation) -> Result<()>) -> Result<()> {
        std::mem::take(&mut self.pending).into_iter().try_for_each(perform)
    }

    /// Does what is pending: launch by launch if it was never done before, otherwise as a graph.
    ///
    /// # Errors
    /// As `perform`, or if the device fails.
    pub(crate) fn replay(
        &mut self,
        gpu: &Gpu,
        perform: impl FnMut(Operation) -> Result<()>,
    ) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let same = |sequence: &Sequence| sequence.operations == self.pending;
        let Some(place) = self.known.iter().position(same) else {
            self.remember(Sequence { operations: self.pending.clone(), graph: None });
            return self.perform(perform);
        };
        let mut sequence = self.known.remove(place);
        let graph = match sequence.graph.take() {
            Some(graph) => graph,
            None => gpu.capture(|| self.perform(perform))?,
        };
        self.pending.clear();
        graph.launch()?;
        self.remember(Sequence { graph: Some(graph), ..sequence });
        Ok(())
    }

    fn remember(&mut self, sequence: Sequence) {
        if self.known.len() == MOST_GRAPHS {
            self.known.remove(0);
        }
        self.known.push(sequence);
    }
}
