//! The time step of the lattice Boltzmann method: populations meet, collide and part. Equations:
//! docs/src/theory/lbm.md and, of heat, docs/src/theory/heat.md.

use vortice_core::Result;

use crate::engine::Engine;

/// Advances the flow by one step.
pub(crate) fn advance(engine: &mut dyn Engine) -> Result<()> {
    engine.stream_and_collide()?;
    engine.exchange()?;
    engine.apply_boundaries()
}
