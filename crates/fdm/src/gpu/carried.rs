//! The lists of a convective outlet as kernels read them.

use vortice_core::{Communicator, Real, Result};
use vortice_gpu::{Buffer, Gpu};

use crate::boundary::{Carried, CarriedOut, sum};

/// The outlet of one subdomain: `carry_out.cu`, `balance_outlet.cu`, `keep_outlet.cu`, `carry_along.cu`.
pub(crate) struct CarriedList<T> {
    pub(super) faces: Buffer<Carried>,
    pub(super) ghosts: Buffer<Carried>,
    pub(super) outward: T,
    pub(super) rate: T,
    pub(super) steps: f64,
    pub(super) share: f64,
    pub(super) prescribed: i64,
    pub(super) leak: Buffer<i64>,
}

impl<T: Real> CarriedList<T> {
    /// The outlet on a device, if there is one.
    ///
    /// # Errors
    /// If its memory will not do.
    pub(crate) fn new(gpu: &Gpu, of: &CarriedOut<T>) -> Result<Option<Self>> {
        if !of.is_used {
            return Ok(None);
        }
        Ok(Some(Self {
            faces: gpu.upload(&of.faces)?,
            ghosts: gpu.upload(&of.ghosts)?,
            outward: of.outward,
            rate: of.rate,
            steps: of.steps,
            share: of.share,
            prescribed: of.prescribed,
            leak: gpu.upload(&[0])?,
        }))
    }

    /// Adds up what leaves over all ranks. Collective.
    pub(crate) fn sum_leak(&mut self, ranks: &dyn Communicator) -> Result<()> {
        let mut leak = self.leak.to_vec()?;
        sum(ranks, &mut leak)?;
        self.leak.write(&leak)
    }
}
