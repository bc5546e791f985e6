//! The multigrid cycle, written once; Trottenberg, Oosterlee and Schueller 2001, section 2.4.

use vortice_core::Result;

use Colour::{Black, Red};
use Weight::{Full, Joining};

/// The colours of a chequered board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Cells whose global indices on their level have an even sum.
    Red,
    /// The others.
    Black,
}

/// How far cells of one colour go towards the values that satisfy their equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// All the way: Gauss-Seidel.
    Full,
    /// As far as takes the steps from a piecewise constant correction:
    /// [`crate::Coarsening::omega`] from the level to the next coarser one. Used in the half-sweep
    /// after the correction, and for symmetry in that before it.
    Joining,
}

/// How many red-black sweeps are done on the way down and up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Smoothing {
    /// Sweeps red, black before the coarse correction.
    pub pre: usize,
    /// Sweeps black, red after it; as many as before make the cycle symmetric.
    pub post: usize,
}

impl Smoothing {
    /// What methods use, on every device.
    pub const USUAL: Self = Self { pre: 2, post: 2 };
}

/// The levels of a system, the finest being 0.
pub trait Hierarchy {
    /// Number of levels; the last has a single cell.
    fn levels(&self) -> usize;

    /// Moves the cells of one colour towards the values that satisfy their equations.
    fn relax(&mut self, level: usize, colour: Colour, weight: Weight) -> Result<()>;

    /// Makes the residuals of a level the right-hand side of the next coarser one, whose unknown
    /// becomes zero.
    fn restrict(&mut self, fine: usize) -> Result<()>;

    /// Adds to the unknown of a level that of the next coarser one.
    fn prolong(&mut self, fine: usize) -> Result<()>;

    /// Sweeps before the coarse correction, and what is left becomes the next coarser level's right-hand side.
    fn descend(&mut self, level: usize, smoothing: Smoothing) -> Result<()> {
        sweep_and_restrict(self, level, smoothing)
    }

    /// The coarse correction, and sweeps after it.
    fn ascend(&mut self, level: usize, smoothing: Smoothing) -> Result<()> {
        prolong_and_sweep(self, level, smoothing)
    }
}

/// One half-sweep after the other on the way down.
pub(crate) fn sweep_and_restrict<H: Hierarchy + ?Sized>(
    grids: &mut H,
    level: usize,
    smoothing: Smoothing,
) -> Result<()> {
    for n in 1..=smoothing.pre {
        grids.relax(level, Red, Full)?;
        grids.relax(level, Black, if n == smoothing.pre { Joining } else { Full })?;
    }
    grids.restrict(level)
}

/// One half-sweep after the other on the way up.
pub(crate) fn prolong_and_sweep<H: Hierarchy + ?Sized>(
    grids: &mut H,
    level: usize,
    smoothing: Smoothing,
) -> Result<()> {
    grids.prolong(level)?;
    for n in 0..smoothing.post {
        grids.relax(level, Black, if n == 0 { Joining } else { Full })?;
        grids.relax(level, Red, Full)?;
    }
    Ok(())
}

/// One V-cycle on the unknown and right-hand side of the finest level.
pub fn v_cycle<H: Hierarchy>(grids: &mut H, smoothing: Smoothing) -> Result<()> {
    let coarsest = grids.levels() - 1;
    for level in 0..coarsest {
        grids.descend(level, smoothing)?;
    }
    // A single cell: one division solves its equation.
    grids.relax(coarsest, Red, Full)?;
    (0..coarsest).rev().try_for_each(|level| grids.ascend(level, smoothing))
}
