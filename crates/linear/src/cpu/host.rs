//! Vectors and scalars in the memory of processors.

use vortice_core::Result;

use super::domain::Domain;
use crate::scalars::{Formula, Slot, Slots, Status};
use crate::space::{Progress, Space, Stop};
use crate::sums::MOST_PAIRS;

/// A matrix and what is near to its inverse. Vectors have the shape of the domain.
pub trait Operator {
    /// y = A x; fills the halo of x.
    fn apply(&mut self, domain: &Domain, x: &mut Vec<f64>, y: &mut Vec<f64>) -> Result<()>;

    /// z = M r.
    fn precondition(&mut self, domain: &Domain, r: &[f64], z: &mut Vec<f64>) -> Result<()>;

    /// If constants are the null space of the matrix, 1 in its cells and 0 in others.
    fn constants(&self) -> Option<&[f64]>;
}

/// The space of vectors on processors, with a matrix.
pub struct Host<O> {
    domain: Domain,
    /// The matrix; may be changed between two solutions.
    pub operator: O,
    slots: Slots,
}

impl<O: Operator> Host<O> {
    /// A space with a matrix.
    pub fn new(domain: Domain, operator: O) -> Self {
        Self { domain, operator, slots: Slots::begin(0.0, 0.0) }
    }

    /// Its cells.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    fn is_running(&self) -> bool {
        self.slots.status() == Status::Running
    }
}

impl<O: Operator> Space for Host<O> {
    type Vector = Vec<f64>;

    fn begin(&mut self, stop: &Stop) -> Result<()> {
        self.slots = Slots::begin(stop.relative, stop.absolute);
        Ok(())
    }

    fn zeros(&mut self) -> Result<Vec<f64>> {
        Ok(vec![0.0; self.domain.level.shape.len()])
    }

    fn copy(&mut self, x: &Vec<f64>, y: &mut Vec<f64>) -> Result<()> {
        if self.is_running() {
            self.domain.copy(x, y);
        }
        Ok(())
    }

    fn copy_if(&mut self, flag: Slot, x: &Vec<f64>, y: &mut Vec<f64>) -> Result<()> {
        if self.slots[flag] != 0.0 {
            self.domain.copy(x, y);
        }
        Ok(())
    }

    fn subtract(&mut self, b: &Vec<f64>, q: &Vec<f64>, r: &mut Vec<f64>) -> Result<()> {
        if self.is_running() {
            self.domain.subtract(b, q, r);
        }
        Ok(())
    }

    fn apply(&mut self, x: &mut Vec<f64>, y: &mut Vec<f64>) -> Result<()> {
        if self.is_running() { self.operator.apply(&self.domain, x, y) } else { Ok(()) }
    }

    fn precondition(&mut self, r: &Vec<f64>, z: &mut Vec<f64>) -> Result<()> {
        if self.is_running() { self.operator.precondition(&self.domain, r, z) } else { Ok(()) }
    }

    fn dot(&mut self, pairs: &[(&Vec<f64>, &Vec<f64>)], into: &[Slot]) -> Result<()> {
        if self.is_running() {
            let mut slices: [(&[f64], &[f64]); MOST_PAIRS] = [(&[], &[]); MOST_PAIRS];
            slices.iter_mut().zip(pairs).for_each(|(slices, (x, y))| *slices = (x, y));
            let dots = self.domain.dots(&slices[..pairs.len()])?;
            into.iter().zip(dots).for_each(|(slot, dot)| self.slots[*slot] = dot);
        }
        Ok(())
    }

    fn axpy(&mut self, a: Slot, sign: f64, x: &Vec<f64>, y: &mut Vec<f64>) -> Result<()> {
        if self.is_running() {
            self.domain.axpy(sign * self.slots[a], x, y);
        }
        Ok(())
    }

    fn xpby(&mut self, x: &Vec<f64>, b: Slot, y: &mut Vec<f64>) -> Result<()> {
        if self.is_running() {
            self.domain.xpby(x, self.slots[b], y);
        }
        Ok(())
    }

    fn step(
        &mut self,
        a: Slot,
        p: &Vec<f64>,
        q: &Vec<f64>,
        x: &mut Vec<f64>,
        r: &mut Vec<f64>,
    ) -> Result<()> {
        if self.is_running() {
            self.domain.axpy(self.slots[a], p, x);
            self.domain.axpy(-self.slots[a], q, r);
        }
        Ok(())
    }

    fn direction(&mut self, r: &Vec<f64>, v: &Vec<f64>, p: &mut Vec<f64>) -> Result<()> {
        if self.is_running() {
            self.domain.direction(r, self.slots[Slot::Beta], p, self.slots[Slot::Omega], v);
        }
        Ok(())
    }

    fn advance(
        &mut self,
        y: &Vec<f64>,
        z: &Vec<f64>,
        t: &Vec<f64>,
        x: &mut Vec<f64>,
        r: &mut Vec<f64>,
    ) -> Result<()> {
        if self.is_running() {
            let (alpha, omega) = (self.slots[Slot::Alpha], self.slots[Slot::Omega]);
            self.domain.axpy(alpha, y, x);
            self.domain.axpy(omega, z, x);
            self.domain.axpy(-omega, t, r);
        }
        Ok(())
    }

    fn remove_mean(&mut self, x: &mut Vec<f64>) -> Result<()> {
        let Some(constants) = self.operator.constants().filter(|_| self.is_running()) else {
            return Ok(());
        };
        let dots = self.domain.dots(&[(x, constants), (constants, constants)])?;
        (self.slots[Slot::Sum], self.slots[Slot::Count]) = (dots[0], dots[1]);
        self.slots.evaluate(Formula::Mean);
        self.domain.axpy(-self.slots[Slot::Mean], constants, x);
        Ok(())
    }

    fn evaluate(&mut self, formula: Formula) -> Result<()> {
        self.slots.evaluate(formula);
        Ok(())
    }

    fn progress(&mut self) -> Result<Progress> {
        Ok(Progress {
            status: self.slots.status(),
            iterations: self.slots[Slot::Iterations] as usize,
            residual: self.slots[Slot::Rr].sqrt(),
            right_hand_side: self.slots[Slot::Bb].sqrt(),
        })
    }
}
