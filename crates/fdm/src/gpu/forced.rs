//! The lists of faces beside bodies as kernels read them.

use vortice_core::{Communicator, Real, Result};
use vortice_gpu::{Buffer, Gpu};

use crate::boundary::{Distant, FaceCounts, Forced, ForcedFace, Source, sum};

/// The faces of one subdomain whose velocity a body gives: `gather_sources.cu`, `force_faces.cu`,
/// `remove_leaks.cu`.
pub(crate) struct ForcedList<T> {
    pub(crate) counts: FaceCounts,
    pub(super) faces: Buffer<ForcedFace<T>>,
    pub(super) numbers: Buffer<u32>,
    pub(super) weights: Buffer<T>,
    pub(super) sources: Buffer<Source>,
    distant: Distant,
    pub(super) values: Buffer<T>,
    pub(super) steps: f64,
    pub(super) shares: Buffer<f64>,
    pub(super) leaks: Buffer<i64>,
}

impl<T: Real> ForcedList<T> {
    /// The lists on a device.
    ///
    /// # Errors
    /// If its memory will not do.
    pub(crate) fn new(gpu: &Gpu, of: &Forced<T>) -> Result<Self> {
        Ok(Self {
            counts: of.counts,
            faces: gpu.upload(&of.faces)?,
            numbers: gpu.upload(&of.numbers)?,
            weights: gpu.upload(&of.weights)?,
            sources: gpu.upload(&of.sources)?,
            distant: of.distant.clone(),
            values: gpu.upload(&of.values)?,
            steps: of.steps,
            shares: gpu.upload(&of.shares)?,
            leaks: gpu.upload(&vec![0; of.shares.len()])?,
        })
    }

    /// Fills in the values that other ranks have. Collective.
    pub(crate) fn exchange(&mut self, ranks: &dyn Communicator) -> Result<()> {
        let mut values = self.values.to_vec()?;
        self.distant.exchange(ranks, &mut values)?;
        let own = self.sources.len();
        if own == values.len() { Ok(()) } else { self.values.write_at(own, &values[own..]) }
    }

    /// Adds up what leaks into each body over all ranks. Collective.
    pub(crate) fn sum_leaks(&mut self, ranks: &dyn Communicator) -> Result<()> {
        let mut leaks = self.leaks.to_vec()?;
        sum(ranks, &mut leaks)?;
        self.leaks.write(&leaks)
    }
}
