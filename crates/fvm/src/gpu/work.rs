//! Operations on their way to the device, and results on their way back.

use vortice_core::Result;
use vortice_gpu::Recorder;
use vortice_linear::Criterion;
use vortice_linear::gpu::{PressureGradients, Verb};

use super::device::Device;
use super::momentum::{Momentum, OfMomentum};
use super::numbers::{Factors, SLOTS};
use super::operation::Operation;
use crate::options::{self, Options};

/// Operations that are done together: about ten outer iterations.
const LONGEST: usize = 50;

/// Verbs of iterations that are done together: all between two looks.
const LONGEST_ITERATION: usize = 400;

/// A device, and the operations that it has not done yet.
pub(crate) struct Work {
    pub(crate) device: Device,
    recorder: Recorder<Operation>,
    /// Iterations that the case asks for, and their verbs.
    momentum: Option<Momentum>,
    pressure: Option<PressureGradients>,
    verbs: Recorder<Verb<OfMomentum>>,
    /// What the device has been told of the step.
    factors: Option<Factors<f64>>,
}

impl Work {
    /// Nothing to do yet.
    pub(crate) fn new(mut device: Device, options: &Options) -> Result<Self> {
        let mut verbs = Recorder::new(LONGEST_ITERATION);
        let momentum = match options.momentum() {
            options::Momentum::Sweeps(_) => None,
            options::Momentum::Bicgstab(_) => Some(Momentum::new(&mut device, &mut verbs)?),
        };
        let pressure = PressureGradients::new(&mut device, &mut verbs, options.pressure)?;
        let recorder = Recorder::new(LONGEST);
        Ok(Self { device, recorder, momentum, pressure, verbs, factors: None })
    }

    /// Tells the device the factors of the next outer iterations.
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
    pub(crate) fn record(&mut self, operation: Operation) -> Result<()> {
        self.recorder.record(operation, &mut self.device)
    }

    /// Launches all that is pending.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.recorder.flush(&mut self.device)
    }

    /// Solves the momentum equations by BiCGSTAB; returns inner iterations.
    pub(crate) fn solve_momentum(&mut self, criterion: Criterion) -> Result<u64> {
        self.flush()?;
        let Some(momentum) = &mut self.momentum else { return Ok(0) };
        momentum.solve(&mut self.device, &mut self.verbs, criterion)
    }

    /// Solves the pressure correction by conjugate gradients; returns inner iterations.
    pub(crate) fn solve_pressure(&mut self, criterion: Criterion, from_zero: bool) -> Result<u64> {
        self.flush()?;
        let Some(pressure) = &mut self.pressure else { return Ok(0) };
        pressure.solve(&mut self.device, &mut self.verbs, criterion, from_zero)
    }

    /// What the launches found on this rank.
    pub(crate) fn reductions(&mut self) -> Result<[i64; SLOTS]> {
        self.flush()?;
        let mut reductions = [0; SLOTS];
        self.device.fields.reductions.read(&mut reductions)?;
        Ok(reductions)
    }
}
