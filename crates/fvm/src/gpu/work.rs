//! Operations on their way to the device, and results on their way back.

use vortice_core::Result;
use vortice_gpu::Recorder;

use super::device::Device;
use super::krylov::Krylov;
use super::numbers::{Factors, SLOTS};
use super::operation::Operation;
use crate::options::{Options, Stop};

/// Operations that are done together: about ten outer iterations.
const LONGEST: usize = 50;

/// A device, and the operations that it has not done yet.
pub(crate) struct Work {
    pub(crate) device: Device,
    recorder: Recorder<Operation>,
    krylov: Krylov,
    /// What the device has been told of the step.
    factors: Option<Factors<f64>>,
}

impl Work {
    /// Nothing to do yet.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub(crate) fn new(mut device: Device, options: &Options) -> Result<Self> {
        let krylov = Krylov::new(&mut device, options)?;
        Ok(Self { device, recorder: Recorder::new(LONGEST), krylov, factors: None })
    }

    /// Tells the device the factors of the next outer iterations.
    ///
    /// # Errors
    /// If the device or another rank fails.
    pub(crate) fn set_factors(&mut self, factors: Factors<f64>) -> Result<()> {
        let told = self.factors.as_ref();
        if told.is_some_and(|told| bytemuck::bytes_of(told) == bytemuck::bytes_of(&factors)) {
            return Ok(());
        }
        // What is pending belongs to the factors before.
        self.flush()?;
        self.factors = Some(factors);
        self.device.fields.factors.write(&[factors])
    }

    /// Writes an operation down.
    ///
    /// # Errors
    /// If the device or another rank fails.
    pub(crate) fn record(&mut self, operation: Operation) -> Result<()> {
        self.recorder.record(operation, &mut self.device)
    }

    /// Launches all that is pending.
    ///
    /// # Errors
    /// If the device or another rank fails.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.recorder.flush(&mut self.device)
    }

    /// Solves the momentum equations by BiCGSTAB; returns inner iterations.
    ///
    /// # Errors
    /// If the device or another rank fails.
    pub(crate) fn solve_momentum(&mut self, stop: Stop) -> Result<u64> {
        self.flush()?;
        self.krylov.solve_momentum(&mut self.device, stop)
    }

    /// Solves the pressure correction by conjugate gradients; returns inner iterations.
    ///
    /// # Errors
    /// If the device or another rank fails.
    pub(crate) fn solve_pressure(&mut self, stop: Stop, from_zero: bool) -> Result<u64> {
        self.flush()?;
        self.krylov.solve_pressure(&mut self.device, stop, from_zero)
    }

    /// What the launches found on this rank.
    ///
    /// # Errors
    /// If the device or another rank fails.
    pub(crate) fn found(&mut self) -> Result<[i64; SLOTS]> {
        self.flush()?;
        let mut found = [0; SLOTS];
        self.device.fields.found.read(&mut found)?;
        Ok(found)
    }
}
