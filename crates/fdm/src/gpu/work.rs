//! Operations on their way to the device, and results on their way back.

use vortice_core::{Real, Result};
use vortice_gpu::Recorder;

use super::device::Device;
use super::numbers::{Interval, RESIDUAL, RIGHT_HAND_SIDE, SLOTS};
use super::operation::Operation;

/// A device, and the operations that it has not done yet.
pub(crate) struct Work<T> {
    pub(crate) device: Device<T>,
    recorder: Recorder<Operation>,
    /// What the device has been told of the time step.
    interval: Option<Interval<T>>,
}

impl<T: Real> Work<T> {
    /// Nothing to do yet.
    pub(crate) fn new(device: Device<T>) -> Self {
        Self { device, recorder: Recorder::default(), interval: None }
    }

    /// Tells the device the numbers of the time step.
    pub(crate) fn set_interval(&mut self, interval: Interval<T>) -> Result<()> {
        let told = self.interval.as_ref();
        if told.is_some_and(|told| bytemuck::bytes_of(told) == bytemuck::bytes_of(&interval)) {
            return Ok(());
        }
        // What is pending belongs to the numbers before.
        self.flush()?;
        self.interval = Some(interval);
        self.device.fields.interval.write(&[interval])
    }

    /// Writes an operation down.
    pub(crate) fn record(&mut self, operation: Operation) -> Result<()> {
        self.recorder.record(operation, &mut self.device)
    }

    /// Launches all that is pending.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.recorder.flush(&mut self.device)
    }

    /// What the launches found: largest magnitudes on this rank.
    pub(crate) fn reductions(&mut self) -> Result<[f64; SLOTS]> {
        self.flush()?;
        let mut reductions = [T::default(); SLOTS];
        self.device.fields.reductions.read(&mut reductions)?;
        Ok(reductions.map(T::to_f64))
    }

    /// The largest residual and right-hand side over all ranks, which then replace this rank's.
    pub(crate) fn largest(&mut self) -> Result<[f64; 2]> {
        let reductions = self.reductions()?;
        let mut largest = [reductions[RESIDUAL], reductions[RIGHT_HAND_SIDE]];
        if self.device.ranks.size() > 1 {
            self.device.ranks.max(&mut largest)?;
            let largest = largest.map(T::from_f64);
            self.device.fields.reductions.write_at(RESIDUAL, &largest)?;
        }
        Ok(largest)
    }
}
