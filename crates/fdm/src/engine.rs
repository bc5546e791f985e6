//! The verbs of the method. Each device implements them; [`crate::step`] speaks them.

use std::ops::Range;

use vortice_core::{
    Field, FieldLater, Quantity, Result, Rounds, StateReader, StateWriter, SurfaceForce, ThreadPool,
};
use vortice_linear::PressureSolver;

use crate::boundary::FaceCounts;
use crate::forces::ForceSides;

/// What a step found over the whole grid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Motion {
    /// Largest magnitude of each velocity component in m/s.
    pub(crate) speed: [f64; 3],
    /// Largest change of a velocity component in m/s; not a number once the flow is not finite.
    pub(crate) change: f64,
    /// Largest change that Euler's step of a scalar made, as a share of its difference, zero of a flow without any;
    /// likewise.
    pub(crate) scalar_change: f64,
}

/// A norm of the pressure equation's residual, and the same norm of its right-hand side, in 1/s2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Residual {
    pub(crate) residual: f64,
    pub(crate) right_hand_side: f64,
}

/// How a residual is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Norm {
    /// The largest magnitude.
    Max,
    /// The root mean square over the flow's cells.
    Rms,
}

/// One device at work on one subdomain. All verbs are collective over the ranks.
pub(crate) trait Engine: Send {
    /// The threads that share its loops: a step that one of them does wakes them from within.
    fn pool(&self) -> Option<ThreadPool> {
        None
    }
    /// Velocity at faces beside bodies with exact walls, from that of the flow; eqs. (F17), (F19).
    fn meet_bodies(&mut self) -> Result<()>;
    /// From now on boundaries prescribe the velocities of this time in s: the prediction gets them, and the velocity
    /// with its projection.
    ///
    /// # Errors
    /// If a formula gives none.
    fn prescribe(&mut self, time: f64) -> Result<()>;
    /// From now on faces have the values and fluxes of scalars of this time in s.
    ///
    /// # Errors
    /// If a device fails.
    fn prescribe_scalars(&mut self, time: f64) -> Result<()>;
    /// From now on this body force in m/s2 acts.
    fn push(&mut self, force: [f64; 3]);
    /// All scalars at the end of the step, carried by the velocity of its begin; eqs. (H5) to (H9).
    fn carry_scalars(&mut self, dt: f64) -> Result<()>;
    /// F, G, H: velocity advanced by convection, diffusion, force and buoyancy; eqs. (F1) to (F4), (H8). With weights
    /// of the rates of change now and before, eq. (F15), those of now are kept for the next step.
    fn predict(&mut self, dt: f64, gamma: f64, weights: Option<[f64; 2]>) -> Result<()>;
    /// The prediction at a convective outlet, with all that comes in; eqs. (F20), (F21).
    fn carry_out(&mut self, dt: f64) -> Result<()>;
    /// Right-hand side of the pressure equation; eq. (F5).
    fn divergence(&mut self, dt: f64) -> Result<()>;
    /// Iterations of red-black SOR; eq. (F6).
    fn relax(&mut self, omega: f64, iterations: u32) -> Result<()>;
    /// One iteration, and the largest change of a pressure in it in m2/s2.
    fn relax_and_measure(&mut self, omega: f64) -> Result<f64>;
    /// The pressure by multigrid or conjugate gradients, from the one that there is; returns iterations.
    fn solve(&mut self, how: PressureSolver) -> Result<u64>;
    /// How well the pressure satisfies its equation.
    fn residual(&mut self, norm: Norm) -> Result<Residual>;
    /// Velocity corrected by the pressure gradient, with all boundary values; eqs. (F8), (F11), (F12).
    fn project(&mut self, dt: f64) -> Result<Motion>;
    /// The same, without telling how it moved.
    fn correct(&mut self, dt: f64) -> Result<()>;
    /// The next coarser grid of a cycle, if there is one.
    fn coarser(&mut self) -> Option<&mut dyn Engine>;
    /// Changes are counted from the velocity of now on.
    fn begin(&mut self) -> Result<()>;
    /// What the last step did to that velocity in m/s2 is asked for from now on, and the flow is again as it was; eq.
    /// (F23). Its pressure is put aside.
    fn ask(&mut self, dt: f64) -> Result<()>;
    /// The same, but what the step did is taken from what is asked for, and the pressure stays.
    fn ask_less(&mut self, dt: f64) -> Result<()>;
    /// Adds what is asked for to the prediction.
    fn add_asked(&mut self, dt: f64) -> Result<()>;
    /// The velocity of now is the one that the next step begins with.
    fn keep(&mut self) -> Result<()>;
    /// The coarser grid begins with means of that velocity and of the pressure, and is asked for means of what the step
    /// did; eq. (F24).
    fn restrict(&mut self, dt: f64) -> Result<()>;
    /// Adds what the coarser grid's velocity has changed; eq. (F25).
    fn prolong(&mut self) -> Result<()>;
    /// Takes back the pressure that was put aside, and tells the largest change of a velocity in m/s.
    fn end(&mut self) -> Result<f64>;
    /// Its flow as one that is mixed where it lies, if it can be.
    fn rounds(&mut self) -> Option<Box<dyn Rounds + '_>> {
        None
    }
    /// How many faces bodies give their velocity.
    fn body_faces(&self) -> FaceCounts;
    /// Largest magnitude of each velocity component now, in m/s.
    fn speed(&mut self) -> Result<[f64; 3]>;
    /// Velocity, pressure or a scalar at the centres of some rows of own cells.
    fn field(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field>;
    /// Velocity there, perhaps still on its way from a device.
    fn velocity_later(&mut self, rows: Range<usize>) -> Result<FieldLater> {
        self.field(Quantity::Velocity, rows).map(FieldLater::from)
    }
    /// The forces of all ranks on bodies, always at the same sides; `gamma` is the share of the donor cell; eq. (F22).
    fn forces(&mut self, sides: &ForceSides, gamma: f64) -> Result<Vec<SurfaceForce>>;
    /// Velocity and pressure, with all halos, and rates of change if they are kept.
    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()>;
    /// The reverse of `save`.
    fn restore(&mut self, state: &dyn StateReader) -> Result<()>;
}
