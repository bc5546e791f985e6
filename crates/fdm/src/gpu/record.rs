//! Verbs are written down and done together, as soon as somebody asks for a result. A sequence that
//! comes again is captured, and from then on one launch does all of it.

use vortice_core::{Real, Result};
use vortice_gpu::Graph;

use super::device::Device;

/// Graphs that are kept, those used last.
const MOST_GRAPHS: usize = 64;

/// A verb and what determines its launches; numbers that change from step to step lie in the
/// device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// By Adams and Bashforth if rates of change are kept.
    Predict {
        keeps_rates: bool,
    },
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
    /// Whether the device was turned before.
    turned: bool,
    /// From its second time on, and whether the device is turned after it.
    graph: Option<(Graph, bool)>,
}

impl Recorder {
    /// Writes an operation down.
    pub(crate) fn push(&mut self, operation: Operation) {
        self.pending.push(operation);
    }

    /// Does what is pending, launch by launch.
    ///
    /// # Errors
    /// If the device or another rank fails.
    pub(crate) fn perform<T: Real>(&mut self, device: &mut Device<T>) -> Result<()> {
        let mut pending = std::mem::take(&mut self.pending).into_iter();
        pending.try_for_each(|operation| device.perform(operation))
    }

    /// Does what is pending: launch by launch if it was never done before, otherwise as a graph.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn replay<T: Real>(&mut self, device: &mut Device<T>) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let turned = device.is_turned();
        let same = |known: &Sequence| known.operations == self.pending && known.turned == turned;
        let Some(place) = self.known.iter().position(same) else {
            self.remember(Sequence { operations: self.pending.clone(), turned, graph: None });
            return self.perform(device);
        };
        let mut sequence = self.known.remove(place);
        let (graph, turned) = match sequence.graph.take() {
            Some(known) => known,
            None => {
                let gpu = device.gpu.clone();
                (gpu.capture(|| self.perform(device))?, device.is_turned())
            }
        };
        self.pending.clear();
        graph.launch()?;
        device.turn_to(turned);
        self.remember(Sequence { graph: Some((graph, turned)), ..sequence });
        Ok(())
    }

    fn remember(&mut self, sequence: Sequence) {
        if self.known.len() == MOST_GRAPHS {
            self.known.remove(0);
        }
        self.known.push(sequence);
    }
}
