//! Prescribed values that change with time, and where they come from.

use vortice_core::{Boundaries, Real, Result, Side};

use super::entries::{Fixed, Ghost};

/// A component of the velocity on a patch of an end of the box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    pub(super) direction: usize,
    pub(super) side: Side,
    pub(super) component: usize,
    /// Corners in m.
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
}

impl Patch {
    /// What is prescribed there, in m/s; zero if nothing is.
    pub(super) fn velocity(&self, boundaries: &Boundaries) -> f64 {
        let velocity = boundaries.at(self.direction, self.side).velocity(self.low, self.high);
        velocity.map_or(0.0, |velocity| velocity[self.component])
    }

    /// The same, unless it is no number.
    fn checked(&self, boundaries: &Boundaries) -> Result<f64> {
        let face = boundaries.at(self.direction, self.side);
        let velocity = face.velocity(self.low, self.high).unwrap_or([0.0; 3]);
        face.check(velocity, self.low, self.high)?;
        Ok(velocity[self.component])
    }
}

/// The entries of the lists whose values change with time.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    /// Each with its number in the list.
    pub(super) fixed: Vec<(usize, Patch)>,
    pub(super) ghosts: Vec<(usize, Patch)>,
}

impl Given {
    /// Gives the entries the values of the boundaries' time.
    ///
    /// # Errors
    /// If one is no number.
    pub(super) fn follow<T: Real>(
        &self,
        boundaries: &Boundaries,
        fixed: &mut [Fixed<T>],
        ghosts: &mut [Ghost<T>],
    ) -> Result<()> {
        for (number, patch) in &self.fixed {
            fixed[*number].value = T::from_f64(patch.checked(boundaries)?);
        }
        for (number, patch) in &self.ghosts {
            ghosts[*number].add = T::from_f64(2.0 * patch.checked(boundaries)?);
        }
        Ok(())
    }
}
