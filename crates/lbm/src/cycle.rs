//! A V-cycle of the full approximation scheme (Brandt 1977) around steps of the lattice (Mavriplis 2006), for flows that
//! shall become steady. Equations: docs/src/theory/lbm.md, (L23) to (L25).

use vortice_core::Result;

use crate::engine::{Cycled, Told};

/// Steps before and after the correction of a coarser grid, on the finest; twice as many on each coarser one. With the one
/// between them they are odd: what bounces between walls for ever, to and fro, must not look as if it stayed.
pub(crate) const BEFORE: u64 = 10;
pub(crate) const AFTER: u64 = 10;

/// All steps of a cycle on the finest.
pub(crate) const ON_FINEST: u64 = BEFORE + 1 + AFTER;

/// Steps on the coarsest grid.
pub(crate) const COARSEST: u64 = 100;

/// Brings a flow nearer to its steady end.
pub(crate) fn improve(finest: &mut dyn Cycled) -> Result<()> {
    cycle(finest, 1)
}

/// One V-cycle on a grid with so many times the steps of the finest.
fn cycle(grid: &mut dyn Cycled, times: u64) -> Result<()> {
    if grid.coarser().is_none() {
        return grid.smooth(COARSEST);
    }
    grid.smooth(times * BEFORE)?;
    grid.restrict(Told::Before)?;
    grid.smooth(1)?;
    grid.restrict(Told::After)?;
    if let Some(coarser) = grid.coarser() {
        coarser.ask()?;
        cycle(coarser, 2 * times)?;
    }
    grid.prolong()?;
    grid.smooth(times * AFTER)
}
