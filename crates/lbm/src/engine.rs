//! The verbs of the method. Each device implements them; [`crate::step`] speaks them.

use std::ops::Range;

use vortice_core::{
    FaceFluxes, Field, FieldLater, Quantity, Result, Rounds, RowBlock, StateReader, StateWriter,
    SurfaceForce,
};

use crate::options::NAME;

/// What a look at the whole flow found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct MassAndChange {
    /// Sum of density less one over the cells of the flow, in whole units of 2^-36.
    pub(crate) density_deviation: i128,
    /// Largest change of a velocity component since the last look, in cells per step; not a number
    /// once the flow is not finite.
    pub(crate) change: f64,
    /// Largest squared speed, in cells per step.
    pub(crate) square: f64,
    /// Largest density less one, of either sign.
    pub(crate) deviation: f64,
    /// Largest change of a scalar since the last look, in units of its difference.
    pub(crate) scalar_change: f64,
}

/// Units of [`MassAndChange::density_deviation`].
pub(crate) const DEVIATION_UNITS: f64 = (1_u64 << 36) as f64;

/// One device at work on one subdomain. All verbs are collective over the ranks.
pub(crate) trait Engine: Send {
    /// Takes the populations that arrive in each cell, those of scalars with them, lets them collide and sends them on;
    /// eqs. (L4) to (L12), (L17) and (H14) to (H16).
    fn stream_and_collide(&mut self) -> Result<()>;
    /// Gives other ranks the populations that cross to them.
    fn exchange(&mut self) -> Result<()>;
    /// Sends back what met a boundary; eqs. (L13) to (L16) and (H17).
    fn apply_boundaries(&mut self) -> Result<()>;

    /// From now on boundaries prescribe the velocities of this time in s.
    ///
    /// # Errors
    /// If a formula gives none.
    fn prescribe(&mut self, time: f64) -> Result<()>;
    /// From now on this force in cells per squared step acts on the flow and counts in its velocity; eqs. (L5), (L6).
    fn push(&mut self, force: [f64; 3]);
    /// Steps that are worth collecting before they are done.
    fn batch(&self) -> u64 {
        1
    }
    /// So many steps.
    fn run(&mut self, steps: u64) -> Result<()>;
    /// Looks at the flow, and remembers it for the next look.
    fn mass_and_change(&mut self) -> Result<MassAndChange>;
    /// Whether the populations at rest of this rank are finite, as of the last steps that are known to
    /// be done: a device is not waited for. A collision makes them all that any other population is, so
    /// one in each cell tells.
    fn is_finite(&mut self) -> Result<bool>;
    /// Velocity in m/s and pressure in Pa at the centres of some rows of own cells of the case, one row after the other.
    fn fields(&mut self, rows: &RowBlock) -> Result<[Field; 2]>;
    /// The velocity there, perhaps still on its way from a device.
    fn velocity_later(&mut self, rows: &RowBlock) -> Result<FieldLater> {
        let [velocity, _] = self.fields(rows)?;
        Ok(velocity.into())
    }
    /// A scalar at the same places.
    ///
    /// # Errors
    /// If the flow does not carry it.
    fn scalar(&mut self, quantity: Quantity, _rows: Range<usize>) -> Result<Field> {
        Err(quantity.is_derived(NAME))
    }
    /// Mean heat fluxes from faces with a given temperature in the last step; eq. (H18).
    fn wall_heat(&mut self) -> Result<Option<FaceFluxes>> {
        Ok(None)
    }
    /// The heat from bodies and solid boxes in the last step; eq. (H24).
    fn body_heat(&mut self) -> Result<Vec<f64>> {
        Ok(Vec::new())
    }
    /// The forces on the case's bodies in the last step; eq. (L14d).
    fn forces(&mut self) -> Result<Vec<SurfaceForce>>;
    /// Populations as they arrive, whatever the device and the scheme of streaming.
    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()>;
    /// The reverse of `save`.
    fn restore(&mut self, state: &dyn StateReader) -> Result<()>;
    /// Itself as what cycles over coarser grids are done on, if it can be.
    fn cycled(&mut self) -> Option<&mut dyn Cycled> {
        None
    }
    /// Its flow as one that is mixed where it lies, if it can be.
    fn rounds(&mut self) -> Option<Box<dyn Rounds + '_>> {
        None
    }
    /// Waits until all steps are done.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Which flow a coarser grid is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// The one before the step that shows what is missing.
    Before,
    /// The one after it.
    After,
}

/// A grid of cycles on one device, with what it is asked for; [`crate::cycle`] speaks these verbs.
pub(crate) trait Cycled {
    /// The next coarser grid, if there is one.
    fn coarser(&mut self) -> Option<&mut dyn Cycled>;
    /// So many steps, each with what is asked for.
    fn smooth(&mut self, steps: u64) -> Result<()>;
    /// Tells the coarser grid means of its flow; eq. (L23).
    fn restrict(&mut self, told: Told) -> Result<()>;
    /// Asks of itself that what it was told be changed twice as much by a step as the finer grid did, and begins with the
    /// second flow; eq. (L24).
    fn ask(&mut self) -> Result<()>;
    /// Adds how the coarser grid's flow has changed since then; eq. (L25).
    fn prolong(&mut self) -> Result<()>;
}
