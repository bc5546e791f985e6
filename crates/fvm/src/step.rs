//! SIMPLE: the outer iteration of Patankar and Spalding (1972), as in figure 4 of Benitez, D'Elia and
//! Storti (2018). Equations: docs/src/theory/fvm.md.

use vortice_core::Result;

use crate::engine::Engine;
use crate::options::Options;

/// Improves velocity, pressure and scalars once; returns inner iterations.
pub(crate) fn iterate(engine: &mut dyn Engine, options: &Options) -> Result<u64> {
    engine.carry_out()?;
    engine.assemble()?;
    let momentum = engine.solve_momentum(options.momentum)?;
    engine.interpolate_body_faces()?;
    engine.interpolate()?;
    let pressure = engine.solve_pressure(options.pressure)?;
    engine.correct()?;
    let scalars = engine.carry_scalars()?;
    Ok(momentum + pressure + scalars)
}
