//! What is written down is done.

use vortice_core::Result;
use vortice_gpu::{Gpu, Perform};

use super::OnGpu;
use super::operation::Operation;
use crate::number::Packed;
use crate::population::Population;
use crate::step;

impl<const Q: usize, T: Packed, P: Population<T>> OnGpu<Q, T, P> {
    /// Does so many times some operations.
    pub(super) fn record(&mut self, times: u64, operations: &[Operation]) -> Result<()> {
        let mut recorder = std::mem::take(&mut self.recorder);
        for _ in 0..times {
            operations.iter().try_for_each(|&one| recorder.record(one, self))?;
        }
        recorder.flush(self)?;
        self.recorder = recorder;
        Ok(())
    }
}

impl<const Q: usize, T: Packed, P: Population<T>> Perform<Operation> for OnGpu<Q, T, P> {
    fn perform(&mut self, operation: Operation) -> Result<()> {
        match operation {
            Operation::Advance => step::advance(self),
            Operation::AddAsked => self.device.add_asked(),
        }
    }

    fn gpu(&self) -> &Gpu {
        &self.device.gpu
    }

    fn can_be_captured(&self) -> bool {
        self.device.is_captured()
    }

    fn parity(&self) -> usize {
        self.device.parity
    }

    fn set_parity(&mut self, parity: usize) {
        self.device.parity = parity;
    }
}
