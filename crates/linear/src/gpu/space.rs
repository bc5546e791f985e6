//! The place of vectors and scalars on a device, for the iterations of this crate.

use vortice_core::Result;
use vortice_gpu::{Perform, Recorder};

use super::vectors::Vectors;
use super::verbs::{Vector, Verb};
use crate::scalars::{Formula, Slot, Status};
use crate::space::{Preconditioner, Progress, Space, Stop};
use crate::sums::MOST_PAIRS;

/// A device that has vectors, and does verbs with them.
pub trait OnDevice<O>: Perform<Verb<O>> {
    /// All of them.
    fn vectors(&mut self) -> &mut Vectors;
}

/// A matrix, and what stands for its inverse.
#[derive(Clone, Copy, Debug)]
pub enum System<O> {
    /// The pressure equation, with its null space if there is one.
    Pressure {
        /// What stands for the inverse.
        by: Preconditioner,
        /// One in cells that have an equation, zero in others.
        constants: Option<Vector>,
    },
    /// A method's own, by its verbs for y = A x and z = M r.
    Own {
        /// Of x and y.
        apply: fn(Vector, Vector) -> O,
        /// Of r and z.
        precondition: fn(Vector, Vector) -> O,
    },
}

/// The space of vectors on a device, with a matrix. Verbs are written down, and done when it is asked
/// how the iteration stands; if ranks speak through the host, at once.
pub struct DeviceSpace<'a, D, O> {
    device: &'a mut D,
    recorder: &'a mut Recorder<Verb<O>>,
    system: System<O>,
    /// Vectors that were given out.
    vectors: usize,
    /// How the iteration stood when it was asked last, if nothing was done since.
    known: Option<Progress>,
    /// Whether the iteration is known to have ended. Ranks that speak with each other all know it in
    /// time, as those on processors do.
    ended: bool,
}

impl<'a, D: OnDevice<O>, O: Copy + PartialEq> DeviceSpace<'a, D, O> {
    /// The space of a system.
    pub fn new(device: &'a mut D, recorder: &'a mut Recorder<Verb<O>>, system: System<O>) -> Self {
        Self { device, recorder, system, vectors: 0, known: None, ended: false }
    }

    /// Writes a verb down, or does it.
    pub fn ask(&mut self, verb: Verb<O>) -> Result<()> {
        self.known = None;
        self.recorder.record(verb, self.device)
    }

    /// Does all that is written down.
    pub fn flush(&mut self) -> Result<()> {
        self.recorder.flush(self.device)
    }

    /// The device, when all that was written down is done.
    pub fn flushed(&mut self) -> Result<&mut D> {
        self.flush()?;
        Ok(&mut *self.device)
    }

    /// Another matrix.
    pub fn turn_to(&mut self, system: System<O>) {
        self.system = system;
    }

    fn ask_if_running(&mut self, verb: Verb<O>) -> Result<()> {
        if self.ended { Ok(()) } else { self.ask(verb) }
    }
}

impl<D: OnDevice<O>, O: Copy + PartialEq> Space for DeviceSpace<'_, D, O> {
    type Vector = Vector;

    fn begin(&mut self, stop: &Stop) -> Result<()> {
        self.ended = false;
        self.ask(Verb::Begin { relative: stop.relative, absolute: stop.absolute })
    }

    fn zeros(&mut self) -> Result<Vector> {
        self.vectors += 1;
        self.device.vectors().vector(self.vectors - 1)
    }

    fn copy(&mut self, x: &Vector, y: &mut Vector) -> Result<()> {
        self.ask_if_running(Verb::Copy { flag: None, x: *x, y: *y })
    }

    fn copy_if(&mut self, flag: Slot, x: &Vector, y: &mut Vector) -> Result<()> {
        self.ask(Verb::Copy { flag: Some(flag), x: *x, y: *y })
    }

    fn subtract(&mut self, b: &Vector, q: &Vector, r: &mut Vector) -> Result<()> {
        self.ask_if_running(Verb::Subtract { b: *b, q: *q, r: *r })
    }

    fn apply(&mut self, x: &mut Vector, y: &mut Vector) -> Result<()> {
        let (x, y) = (*x, *y);
        self.ask_if_running(match self.system {
            System::Pressure { .. } => Verb::Apply { x, y },
            System::Own { apply, .. } => Verb::Own(apply(x, y)),
        })
    }

    fn precondition(&mut self, r: &Vector, z: &mut Vector) -> Result<()> {
        let (r, z) = (*r, *z);
        self.ask_if_running(match self.system {
            System::Pressure { by, .. } => Verb::Precondition { by, r, z },
            System::Own { precondition, .. } => Verb::Own(precondition(r, z)),
        })
    }

    fn dot(&mut self, pairs: &[(&Vector, &Vector)], into: &[Slot]) -> Result<()> {
        let count = pairs.len();
        // Kernels have as many parameters as there may be pairs.
        let all = std::array::from_fn(|n| pairs.get(n).map_or(pairs[0], |pair| *pair));
        let all = all.map(|(x, y)| (*x, *y));
        self.ask_if_running(Verb::Multiply { pairs: all, count })?;
        let into: [Slot; MOST_PAIRS] = std::array::from_fn(|n| into[n.min(count - 1)]);
        self.ask_if_running(Verb::Evaluate { into, count, formula: None })
    }

    fn axpy(&mut self, a: Slot, sign: f64, x: &Vector, y: &mut Vector) -> Result<()> {
        self.ask_if_running(Verb::Axpy { a, sign, x: *x, y: *y })
    }

    fn xpby(&mut self, x: &Vector, b: Slot, y: &mut Vector) -> Result<()> {
        self.ask_if_running(Verb::Xpby { x: *x, b, y: *y })
    }

    fn step(
        &mut self,
        a: Slot,
        p: &Vector,
        q: &Vector,
        x: &mut Vector,
        r: &mut Vector,
    ) -> Result<()> {
        self.ask_if_running(Verb::Step { a, p: *p, q: *q, x: *x, r: *r })
    }

    fn direction(&mut self, r: &Vector, v: &Vector, p: &mut Vector) -> Result<()> {
        self.ask_if_running(Verb::Direction { r: *r, v: *v, p: *p })
    }

    fn advance(
        &mut self,
        y: &Vector,
        z: &Vector,
        t: &Vector,
        x: &mut Vector,
        r: &mut Vector,
    ) -> Result<()> {
        self.ask_if_running(Verb::Advance { y: *y, z: *z, t: *t, x: *x, r: *r })
    }

    fn remove_mean(&mut self, x: &mut Vector) -> Result<()> {
        let System::Pressure { constants: Some(constants), .. } = self.system else {
            return Ok(());
        };
        if self.ended {
            return Ok(());
        }
        let pairs = [(&*x, &constants), (&constants, &constants)];
        self.dot(&pairs, &[Slot::Sum, Slot::Count])?;
        self.evaluate(Formula::Mean)?;
        self.axpy(Slot::Mean, -1.0, &constants, x)
    }

    fn evaluate(&mut self, formula: Formula) -> Result<()> {
        if let Some(Verb::Evaluate { formula: open @ None, .. }) = self.recorder.last() {
            // Together with the inner products that it needs.
            *open = Some(formula);
            return Ok(());
        }
        let into = [Slot::Status; MOST_PAIRS];
        self.ask(Verb::Evaluate { into, count: 0, formula: Some(formula) })?;
        // A mean ends nothing.
        if !self.device.can_be_captured() && !self.ended && formula != Formula::Mean {
            self.ended = self.device.vectors().scalars()?.status() != Status::Running;
        }
        Ok(())
    }

    fn progress(&mut self) -> Result<Progress> {
        if let Some(known) = self.known {
            return Ok(known);
        }
        self.flush()?;
        let slots = self.device.vectors().scalars()?;
        let known = Progress {
            status: slots.status(),
            iterations: slots[Slot::Iterations] as usize,
            residual: slots[Slot::Rr].sqrt(),
            right_hand_side: slots[Slot::Bb].sqrt(),
        };
        self.ended = known.status != Status::Running;
        self.known = Some(known);
        Ok(known)
    }
}
