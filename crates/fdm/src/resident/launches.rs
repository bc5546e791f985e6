//! What does several steps in a launch.

use std::ops::Range;

use vortice_core::{Field, FieldLater, Quantity, Result, StateReader, StateWriter, SurfaceForce};

use crate::forces::ForceSides;
use crate::step_state::StepState;

/// Most steps of a launch.
pub(crate) const MOST_STEPS: usize = 512;

/// Does several steps in a launch, and can go back to where the last launch began.
pub(crate) trait Resident: Send {
    /// Up to `most` steps from `start`, none of which ends later than `latest`.
    fn steps(&mut self, start: &StepState, latest: f64, most: usize) -> Result<Vec<StepState>>;
    /// Back to the flow before the last launch.
    fn go_back(&mut self) -> Result<()>;
    /// Largest magnitude of each velocity component now, in m/s.
    fn speed(&mut self) -> Result<[f64; 3]>;
    /// Velocity or pressure at the centres of some rows of cells.
    fn field(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field>;
    /// Velocity there, perhaps still on its way.
    fn velocity_later(&mut self, rows: Range<usize>) -> Result<FieldLater>;
    /// What the forces on bodies are made of.
    fn forces(&mut self, sides: &ForceSides, gamma: f64) -> Result<Vec<SurfaceForce>>;
    /// Velocity and pressure, with all halos.
    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()>;
    /// The reverse of `save`.
    fn restore(&mut self, state: &dyn StateReader) -> Result<()>;
}
