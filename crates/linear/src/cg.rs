//! Preconditioned conjugate gradients for symmetric positive (semi)definite systems.
//!
//! Directions of a singular system may have a mean. The matrix does not see it, and products with residuals
//! do not, which have none; so it is enough to take it from the solution at the end.

use vortice_core::Result;

use crate::scalars::{Formula, Slot};
use crate::space::{self, Outcome, Space, Stop};

/// Conjugate gradients; Kelley 1995, algorithm 2.5.1. Two reductions an iteration.
#[derive(Debug)]
pub struct Cg<V> {
    r: V,
    z: V,
    p: V,
    q: V,
}

impl<V> Cg<V> {
    /// The vectors that it works with.
    ///
    /// # Errors
    /// If there is no memory for them on a device.
    pub fn new<S: Space<Vector = V>>(space: &mut S) -> Result<Self> {
        Ok(Self { r: space.zeros()?, z: space.zeros()?, p: space.zeros()?, q: space.zeros()? })
    }

    /// Solves A x = b from the x that is given. A singular system gets the x of zero mean, for the
    /// right-hand side without its mean. x is the last iterate; a system or right-hand side that
    /// cannot be treated ends with [`crate::Ended::Breakdown`].
    pub fn solve<S: Space<Vector = V>>(
        &mut self,
        space: &mut S,
        b: &V,
        x: &mut V,
        stop: &Stop,
    ) -> Result<Outcome> {
        let Self { r, z, p, q } = self;
        space::start(space, stop, b, x, q, r)?;
        for iteration in 0..stop.most {
            if !space::goes_on(space, stop, iteration)? {
                break;
            }
            space.precondition(r, z)?;
            space.dot(&[(z, r)], &[Slot::Zr])?;
            space.evaluate(Formula::CgDirection)?;
            if iteration == 0 {
                space.copy(z, p)?;
            } else {
                space.xpby(z, Slot::Beta, p)?;
            }
            space.apply(p, q)?;
            space.dot(&[(p, q)], &[Slot::Pq])?;
            space.evaluate(Formula::CgStep)?;
            space.step(Slot::Alpha, p, q, x, r)?;
            space.dot(&[(r, r)], &[Slot::Rr])?;
            space.evaluate(Formula::Next)?;
        }
        space::centred(space, stop, x)
    }
}

/// Conjugate gradients with a single reduction an iteration; Chronopoulos and Gear 1989. The end is
/// seen one preconditioning later.
#[derive(Debug)]
pub struct SingleReductionCg<V> {
    r: V,
    u: V,
    w: V,
    p: V,
    s: V,
}

impl<V> SingleReductionCg<V> {
    /// The vectors that it works with.
    ///
    /// # Errors
    /// If there is no memory for them on a device.
    pub fn new<S: Space<Vector = V>>(space: &mut S) -> Result<Self> {
        let mut zeros = || space.zeros();
        Ok(Self { r: zeros()?, u: zeros()?, w: zeros()?, p: zeros()?, s: zeros()? })
    }

    /// Solves A x = b as [`Cg::solve`] does.
    pub fn solve<S: Space<Vector = V>>(
        &mut self,
        space: &mut S,
        b: &V,
        x: &mut V,
        stop: &Stop,
    ) -> Result<Outcome> {
        let Self { r, u, w, p, s } = self;
        space::start(space, stop, b, x, w, r)?;
        for iteration in 0..stop.most {
            if !space::goes_on(space, stop, iteration)? {
                break;
            }
            space.precondition(r, u)?;
            space.apply(u, w)?;
            space.dot(&[(r, r), (r, u), (w, u)], &[Slot::Rr, Slot::Zr, Slot::Pq])?;
            space.evaluate(Formula::CgBoth)?;
            if iteration == 0 {
                space.copy(u, p)?;
                space.copy(w, s)?;
            } else {
                space.xpby(u, Slot::Beta, p)?;
                space.xpby(w, Slot::Beta, s)?;
            }
            space.step(Slot::Alpha, p, s, x, r)?;
        }
        space.dot(&[(r, r)], &[Slot::Rr])?;
        space.evaluate(Formula::Look)?;
        space::centred(space, stop, x)
    }
}
