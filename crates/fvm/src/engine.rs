//! The verbs of the method. Each device implements them; [`crate::step`] speaks them.

use std::ops::Range;

use vortice_core::{
    Case, Communicator, Field, FieldLater, Quantity, Result, Rounds, StateReader, StateWriter,
    SurfaceForce, ThreadPool,
};
use vortice_linear::PressureSolver;

use crate::options::{Momentum, NAME};
use crate::settings::Factors;

/// What a look at the equations found, over all ranks, before the last outer iteration solved them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ResidualNorms {
    /// Largest residual of a momentum equation in m/s2; not a number once the flow is not finite.
    pub(crate) momentum: f64,
    /// Largest divergence before the pressure correction in 1/s.
    pub(crate) mass: f64,
    /// Largest residual of a scalar's equation in 1/s, a share of its difference.
    pub(crate) scalars: f64,
    /// Sum of the magnitudes of the momentum equations' residuals, in whole units.
    pub(crate) sum: i128,
}

impl ResidualNorms {
    /// Whether the flow is still finite, or was before the last outer iteration solved.
    pub(crate) fn is_finite(&self) -> bool {
        (self.momentum + self.mass + self.scalars).is_finite()
    }

    /// What all ranks found together.
    pub(crate) fn of_all(self, ranks: &dyn Communicator) -> Result<Self> {
        let mut largest = [self.momentum, self.mass, self.scalars];
        ranks.max(&mut largest)?;
        let [momentum, mass, scalars] = largest;
        Ok(Self { momentum, mass, scalars, sum: ranks.sum_exact(self.sum)? })
    }
}

/// One device at work on one subdomain. All verbs are collective over the ranks.
pub(crate) trait Engine: Send {
    /// The threads that share its loops: a step that one of them does wakes them from within.
    fn pool(&self) -> Option<ThreadPool> {
        None
    }
    /// The factors of the next outer iterations.
    fn set_factors(&mut self, factors: &Factors) -> Result<()>;
    /// Velocity and face velocities become those of the last step; eq. (V3).
    fn begin_step(&mut self) -> Result<()>;
    /// Gives faces and ghost cells the velocities that boundaries prescribe at this time in s.
    ///
    /// # Errors
    /// If a formula gives none.
    fn prescribe(&mut self, time: f64) -> Result<()>;
    /// Velocities at a convective outlet, with all that comes in; eqs. (V20), (V21).
    fn carry_out(&mut self) -> Result<()>;
    /// Coefficients and right-hand sides of the momentum equations; eqs. (V3) to (V8), (V17).
    fn assemble(&mut self) -> Result<()>;
    /// Solves them; returns inner iterations.
    fn solve_momentum(&mut self, how: Momentum) -> Result<u64>;
    /// Velocities through the faces of bodies; eqs. (V18), (V19).
    fn interpolate_body_faces(&mut self) -> Result<()>;
    /// Face velocities by Rhie and Chow, and the pressure correction's equation; eqs. (V9) to (V11).
    fn interpolate(&mut self) -> Result<()>;
    /// Solves the pressure correction; returns inner iterations.
    fn solve_pressure(&mut self, how: PressureSolver) -> Result<u64>;
    /// Corrects face velocities, velocity and pressure; eqs. (V12), (V13).
    fn correct(&mut self) -> Result<()>;

    /// The engine of the next coarser grid of the full approximation scheme, if there is one.
    fn coarser(&mut self) -> Option<&mut dyn Engine>;
    /// Gives that one this flow, and what is missing in its equations; eqs. (V23) to (V25).
    fn restrict(&mut self) -> Result<()>;
    /// Adds what the coarser grid has changed since; eq. (V26).
    fn prolong(&mut self) -> Result<()>;

    /// All scalars with the velocities of their faces; returns inner iterations; eq. (H12).
    fn carry_scalars(&mut self) -> Result<u64> {
        Ok(0)
    }

    /// Its flow as one that is mixed where it lies, if it can be.
    fn rounds(&mut self) -> Option<Box<dyn Rounds + '_>> {
        None
    }

    /// What the last outer iteration found.
    fn residual_norms(&mut self) -> Result<ResidualNorms>;
    /// Largest change of a velocity component since the beginning of the step, in m/s.
    fn change(&mut self) -> Result<f64>;
    /// Largest change of a scalar since then, a share of its difference; zero of a flow without any.
    fn scalar_change(&mut self) -> Result<f64> {
        Ok(0.0)
    }
    /// Mean kinematic pressure in m2/s2 over the cells of the flow of all ranks. Collective.
    fn mean_pressure(&mut self) -> Result<f64>;
    /// Whether it does several iterations together.
    fn defers(&self) -> bool {
        false
    }
    /// Velocity in m/s at the centres of some rows of own cells.
    fn velocity(&mut self, rows: Range<usize>) -> Result<Field>;
    /// The same, perhaps still on its way from a device.
    fn velocity_later(&mut self, rows: Range<usize>) -> Result<FieldLater> {
        self.velocity(rows).map(FieldLater::from)
    }
    /// Pressure in Pa there, of a kinematic pressure less its mean.
    fn pressure(&mut self, rows: Range<usize>, mean: f64) -> Result<Field>;
    /// A scalar there.
    ///
    /// # Errors
    /// If the flow does not carry it.
    fn scalar(&mut self, quantity: Quantity, _rows: Range<usize>) -> Result<Field> {
        Err(quantity.is_derived(NAME))
    }
    /// The forces on the case's bodies; eq. (V22).
    fn forces(&mut self, case: &Case) -> Result<Vec<SurfaceForce>>;
    /// The complete state.
    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()>;
    /// The reverse of `save`.
    fn restore(&mut self, state: &dyn StateReader) -> Result<()>;
    /// Waits until all work is done.
    fn finish(&mut self) -> Result<()>;
}
