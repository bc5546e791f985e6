//! SIMPLE: the outer iteration of Patankar and Spalding (1972), as in figure 4 of Benitez, D'Elia and
//! Storti (2018). Equations: docs/src/theory/fvm.md.

use vortice_core::Result;

use crate::engine::Engine;
use crate::options::Options;

/// Outer iterations before and after a coarser grid's correction, and on the coarsest grid.
const BEFORE: u32 = 2;
const AFTER: u32 = 2;
const COARSEST: u32 = 20;

/// Outer iterations of a cycle on all grids but the coarsest.
pub(crate) const ON_EACH_GRID: u32 = BEFORE + AFTER;

/// A V-cycle of the full approximation scheme (Brandt 1977; Lilek, Muzaferija and Peric 1997) around outer iterations;
/// returns inner iterations on all grids; eqs. (V23) to (V26).
pub(crate) fn cycle(engine: &mut dyn Engine, options: &Options) -> Result<u64> {
    if engine.coarser().is_none() {
        return smooth(engine, options, COARSEST);
    }
    let before = smooth(engine, options, BEFORE)?;
    engine.restrict()?;
    let coarser = engine.coarser().map_or(Ok(0), |coarser| cycle(coarser, options))?;
    engine.prolong()?;
    Ok(before + coarser + smooth(engine, options, AFTER)?)
}

fn smooth(engine: &mut dyn Engine, options: &Options, iterations: u32) -> Result<u64> {
    (0..iterations).try_fold(0, |done, _| Ok(done + iterate(engine, options)?))
}

/// Improves velocity, pressure and scalars once; returns inner iterations.
pub(crate) fn iterate(engine: &mut dyn Engine, options: &Options) -> Result<u64> {
    engine.carry_out()?;
    engine.assemble()?;
    let momentum = engine.solve_momentum(options.momentum())?;
    engine.interpolate_body_faces()?;
    engine.interpolate()?;
    let pressure = engine.solve_pressure(options.pressure)?;
    engine.correct()?;
    let scalars = engine.carry_scalars()?;
    Ok(momentum + pressure + scalars)
}
