//! Solution of the equations by iterations of `vortice_linear` on a device.

use vortice_core::Result;
use vortice_gpu::Recorder;
use vortice_linear::{BiCgStab, Preconditioner, Space};

use super::device::Device;
use super::space::{OnDevice, System};
use super::vectors::Vector;
use super::verbs::{Inverse, Verb};
use crate::gradients::{Gradients, preconditioner};
use crate::options::{Momentum, Options, Pressure, Stop};

/// Iterations between looks. Of BiCGSTAB few are needed; of conjugate gradients many, or, with a
/// multigrid cycle, few that take longer than a look.
const LOOK_EVERY_BICGSTAB: usize = 2;
const LOOK_EVERY_GRADIENT: usize = 10;
const LOOK_EVERY_CYCLE: usize = 1;

/// Verbs that are done together: all between two looks.
const LONGEST: usize = 400;

/// The iterations that a case asks for, and their verbs.
pub(crate) struct Krylov {
    momentum: Option<OfMomentum>,
    pressure: Option<OfPressure>,
    recorder: Recorder<Verb>,
}

/// BiCGSTAB for one component after the other, in terms of what is missing.
struct OfMomentum {
    solver: BiCgStab<Vector>,
    missing: Vector,
    change: Vector,
}

/// Conjugate gradients.
struct OfPressure {
    solver: Gradients<Vector>,
    b: Vector,
    x: Vector,
    constants: Vector,
    inverse: Inverse,
    look_every: usize,
}

impl Krylov {
    /// What the options ask for.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub(crate) fn new(device: &mut Device, options: &Options) -> Result<Self> {
        let mut recorder = Recorder::new(LONGEST);
        let momentum = match options.momentum {
            Momentum::Sweeps(_) => None,
            Momentum::Bicgstab(_) => Some(OfMomentum::new(device, &mut recorder)?),
        };
        let pressure = OfPressure::new(device, &mut recorder, options.pressure)?;
        Ok(Self { momentum, pressure, recorder })
    }

    /// Solves the momentum equations; returns inner iterations.
    ///
    /// # Errors
    /// If the device or another rank fails.
    pub(crate) fn solve_momentum(&mut self, device: &mut Device, stop: Stop) -> Result<u64> {
        let Some(OfMomentum { solver, missing, change }) = &mut self.momentum else {
            return Ok(0);
        };
        let directions = device.directions() as i32;
        let stop = stop.looked_at_every(LOOK_EVERY_BICGSTAB);
        let mut space = OnDevice::new(device, &mut self.recorder, System::Momentum);
        let mut iterations = 0;
        for component in 0..directions {
            space.ask(Verb::FindMissing { component, missing: *missing, change: *change })?;
            let outcome = solver.solve(&mut space, missing, change, &stop)?;
            iterations += outcome.iterations as u64;
            space.ask(Verb::AddChange { component, change: *change })?;
        }
        space.ask(Verb::ExchangeVelocity)?;
        space.flush()?;
        Ok(iterations)
    }

    /// Solves the pressure correction; returns inner iterations.
    ///
    /// # Errors
    /// If the device or another rank fails.
    pub(crate) fn solve_pressure(
        &mut self,
        device: &mut Device,
        stop: Stop,
        from_zero: bool,
    ) -> Result<u64> {
        let Some(OfPressure { solver, b, x, constants, inverse, look_every }) = &mut self.pressure
        else {
            return Ok(0);
        };
        let (inverse, stop) = (*inverse, stop.looked_at_every(*look_every));
        let system = |constants| System::Pressure { inverse, constants };
        let mut space = OnDevice::new(device, &mut self.recorder, system(None));
        space.ask(Verb::TakeCorrection { b: *b, x: *x, from_zero, constants: *constants })?;
        let is_singular = space.flushed()?.vectors.is_singular()?;
        space.turn_to(system(is_singular.then_some(*constants)));
        let outcome = solver.solve(&mut space, b, x, &stop)?;
        space.ask(Verb::PutCorrection { x: *x })?;
        space.flush()?;
        Ok(outcome.iterations as u64)
    }
}

impl OfMomentum {
    fn new(device: &mut Device, recorder: &mut Recorder<Verb>) -> Result<Self> {
        let mut space = OnDevice::new(device, recorder, System::Momentum);
        let solver = BiCgStab::new(&mut space)?;
        Ok(Self { solver, missing: space.zeros()?, change: space.zeros()? })
    }
}

impl OfPressure {
    fn new(
        device: &mut Device,
        recorder: &mut Recorder<Verb>,
        how: Pressure,
    ) -> Result<Option<Self>> {
        let (inverse, look_every) = match preconditioner(how) {
            Preconditioner::None => (Inverse::Unit, LOOK_EVERY_GRADIENT),
            Preconditioner::Jacobi => (Inverse::OfPressure, LOOK_EVERY_GRADIENT),
            Preconditioner::Multigrid(_) => (Inverse::Cycle, LOOK_EVERY_CYCLE),
        };
        let system = System::Pressure { inverse, constants: None };
        let mut space = OnDevice::new(device, recorder, system);
        let Some(solver) = Gradients::new(&mut space, how)? else { return Ok(None) };
        let (b, x, constants) = (space.zeros()?, space.zeros()?, space.zeros()?);
        Ok(Some(Self { solver, b, x, constants, inverse, look_every }))
    }
}
