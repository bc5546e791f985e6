//! BiCGSTAB for systems that are not symmetric.

use vortice_core::Result;

use crate::scalars::{Formula, Slot};
use crate::space::{self, Outcome, Space, Stop};

/// BiCGSTAB; Kelley 1995, algorithm 3.6.3, preconditioned from the right. It begins anew, a few
/// times, where the method breaks down, and limits omega as Sleijpen and van der Vorst 1995.
#[derive(Debug)]
pub struct BiCgStab<V> {
    r: V,
    hat: V,
    p: V,
    v: V,
    t: V,
    y: V,
    z: V,
    first: V,
}

impl<V> BiCgStab<V> {
    /// The vectors that it works with.
    ///
    /// # Errors
    /// If there is no memory for them on a device.
    pub fn new<S: Space<Vector = V>>(space: &mut S) -> Result<Self> {
        let mut zeros = || space.zeros();
        let (r, hat, p, v) = (zeros()?, zeros()?, zeros()?, zeros()?);
        Ok(Self { r, hat, p, v, t: zeros()?, y: zeros()?, z: zeros()?, first: zeros()? })
    }

    /// Solves A x = b from the x that is given. x is the last iterate, or the x that was given if
    /// that has the smaller residual. A singular system is treated as by [`crate::Cg::solve`].
    pub fn solve<S: Space<Vector = V>>(
        &mut self,
        space: &mut S,
        b: &V,
        x: &mut V,
        stop: &Stop,
    ) -> Result<Outcome> {
        let Self { r, hat, p, v, t, y, z, first } = self;
        space::start(space, stop, b, x, v, r)?;
        space.copy(x, first)?;
        space.copy(r, hat)?;
        for iteration in 0..stop.most {
            if !space::goes_on(space, stop, iteration)? {
                break;
            }
            if iteration == 0 {
                space.copy(r, p)?;
            } else {
                space.direction(r, v, p)?;
            }
            space.precondition(p, y)?;
            space.remove_mean(y)?;
            space.apply(y, v)?;
            space.dot(&[(hat, v), (v, v)], &[Slot::HatV, Slot::Vv])?;
            space.evaluate(Formula::BiStep)?;
            // From here to the end of the iteration r is Kelley's s.
            space.axpy(Slot::Alpha, -1.0, v, r)?;
            space.precondition(r, z)?;
            space.remove_mean(z)?;
            space.apply(z, t)?;
            space.dot(&[(t, r), (t, t), (r, r)], &[Slot::Ts, Slot::Tt, Slot::Ss])?;
            space.evaluate(Formula::BiOmega)?;
            space.advance(y, z, t, x, r)?;
            space.dot(&[(r, r), (hat, r)], &[Slot::Rr, Slot::RhoNext])?;
            space.evaluate(Formula::BiNext)?;
            space.copy_if(Slot::Flag, r, hat)?;
        }
        space.evaluate(Formula::Finish)?;
        space.copy_if(Slot::Flag, first, x)?;
        space::outcome(space)
    }
}
