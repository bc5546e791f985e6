//! Geometric multigrid on processors: the verbs of the cycle, row by row.
//!
//! A x = sum over the faces of a cell of c (x - x_neighbour). Red-black Gauss-Seidel, piecewise
//! constant prolongation, and its transpose as restriction; coarse coefficients are those of the
//! finer faces times a ratio of distances, so that the coarse operator is again one of this kind.
//!
//! A coarse right-hand side is ((r000 + r100) + (r010 + r110)) + ((r001 + r101) + (r011 + r111)) over
//! a cell's children in the directions that are halved; a child that does not exist counts as 0.0. A
//! coarse coefficient is such a sum over the children that have the face, then times the ratio.

mod children;
mod prepare;
mod transfer;

use std::sync::Arc;

use vortice_core::{Communicator, Region, Result, ThreadPool};

use super::relax::relax_rows;
use super::rows::{self, Sides};
use crate::cycle::{Colour, Hierarchy, Smoothing, Weight, v_cycle};
use crate::exchange::Exchange;
use crate::levels::{Level, Levels};
use crate::stencil;

/// The arrays of a level, all with its shape.
#[derive(Debug)]
struct Storage {
    /// Conductances of low faces, per direction; none in z if the problem is plane.
    c: [Vec<f64>; 3],
    /// One over the sum of a cell's coefficients.
    inverse: Vec<f64>,
    x: Vec<f64>,
    b: Vec<f64>,
    /// Residuals; none on the last level.
    r: Vec<f64>,
}

/// The arrays of the finest level, to be filled by the caller. All have its shape.
#[derive(Debug)]
pub struct Finest<'a> {
    /// Conductances of low faces `c[direction]`: of own cells, and of the high faces at the ends
    /// of the box, which lie one cell further. 0 at walls and around solid cells, positive at the
    /// ends of the box where the unknown beyond is zero. In a ring of one cell, 0.
    pub c: &'a mut [Vec<f64>; 3],
    /// The unknown; 0 in the halo beyond the ends of the box.
    pub x: &'a mut Vec<f64>,
    /// The right-hand side; only own cells are read, and those without neighbours have 0.
    pub b: &'a mut Vec<f64>,
}

/// A system of equations on all levels.
pub struct Multigrid {
    levels: Levels,
    storage: Vec<Storage>,
    exchange: Arc<Exchange>,
    pool: Arc<ThreadPool>,
    /// A row of zeros in place of children that do not exist.
    zeros: Vec<f64>,
}

impl Multigrid {
    /// Levels full of zeros; `ranks` are those among which `levels` are cut.
    pub fn new(levels: Levels, ranks: Arc<dyn Communicator>, pool: Arc<ThreadPool>) -> Self {
        let exchange = Arc::new(Exchange::new(ranks, &levels));
        let last = levels.levels.len() - 1;
        let storage = levels.levels.iter().map(|level| {
            let zeros = || vec![0.0; level.shape.len()];
            Storage {
                c: std::array::from_fn(|d| if d < level.directions { zeros() } else { vec![] }),
                inverse: zeros(),
                x: zeros(),
                b: zeros(),
                r: if level.number == last { vec![] } else { zeros() },
            }
        });
        let storage = storage.collect();
        let rows = levels.levels.iter().map(|level| level.shape.padded()[0]);
        let zeros = vec![0.0; rows.max().unwrap_or(0)];
        Self { levels, storage, exchange, pool, zeros }
    }

    /// The finest level.
    pub fn level(&self) -> &Level {
        &self.levels.levels[0]
    }

    /// All levels.
    pub fn all_levels(&self) -> &Levels {
        &self.levels
    }

    /// The threads that work on it.
    pub fn pool(&self) -> &Arc<ThreadPool> {
        &self.pool
    }

    /// What ranks tell each other.
    pub fn exchange(&self) -> &Arc<Exchange> {
        &self.exchange
    }

    /// The arrays of the finest level; after changes of the coefficients [`Self::prepare`] must be
    /// called.
    pub fn finest_mut(&mut self) -> Finest<'_> {
        let Storage { c, x, b, .. } = &mut self.storage[0];
        Finest { c, x, b }
    }

    /// The unknown of the finest level.
    pub fn x(&self) -> &[f64] {
        &self.storage[0].x
    }

    /// The coefficients of a level; shape as that of the level.
    pub fn coefficients(&self, level: usize) -> &[Vec<f64>; 3] {
        &self.storage[level].c
    }

    /// One over the sums of the coefficients of a level, 0 in cells without neighbours.
    pub fn inverse(&self, level: usize) -> &[f64] {
        &self.storage[level].inverse
    }

    /// Whether the unknown is determined only up to a constant: no end of the box has a given
    /// value. Known after [`Self::prepare`], on every rank.
    pub fn is_singular(&self) -> bool {
        let last = self.levels.levels.len() - 1;
        let only = self.levels.levels[last].shape.index([0; 3]);
        self.storage[last].inverse[only] == 0.0
    }

    /// One V-cycle on the unknown and right-hand side of the finest level; the halo of the unknown
    /// is filled before and after.
    pub fn cycle(&mut self, smoothing: Smoothing) -> Result<()> {
        self.fill_halo(0)?;
        v_cycle(self, smoothing)
    }

    /// z = M r: one V-cycle from zero, with `r` for the right-hand side. Symmetric if as much is
    /// smoothed after the coarse correction as before.
    pub fn precondition(
        &mut self,
        smoothing: Smoothing,
        r: &[f64],
        z: &mut Vec<f64>,
    ) -> Result<()> {
        z.fill(0.0);
        self.storage[0].b.copy_from_slice(r);
        std::mem::swap(&mut self.storage[0].x, z);
        let done = v_cycle(self, smoothing);
        std::mem::swap(&mut self.storage[0].x, z);
        done
    }

    fn fill_halo(&mut self, level: usize) -> Result<()> {
        self.exchange.fill(level, &mut [&mut self.storage[level].x])
    }

    fn relax_cells(&mut self, level: usize, colour: Colour, omega: f64) {
        let here = &self.levels.levels[level];
        let Level { shape, directions, .. } = *here;
        let Storage { c, inverse, x, b, .. } = &mut self.storage[level];
        let shift = here.parity() + usize::from(colour == Colour::Black);
        relax_rows(
            &self.pool,
            &shape,
            directions,
            shift,
            x,
            #[inline(always)]
            |block, out| {
                let n = out.len();
                let c = Sides::faces(c, &shape, directions, block.place, n);
                let (b, inverse) = (&b[block.place..][..n], &inverse[block.place..][..n]);
                rows::from_sums(
                    &c,
                    &block.x,
                    directions,
                    out,
                    #[inline(always)]
                    |i, sum| stencil::relaxed(inverse[i], b[i], sum),
                );
                if omega != 1.0 {
                    for (out, x) in out.iter_mut().zip(block.here) {
                        *out = stencil::weighted(*x, omega, *out);
                    }
                }
            },
        );
    }

    /// b - A x on all own cells of a level.
    fn find_residual(&mut self, level: usize) {
        let Level { shape, directions, .. } = self.levels.levels[level];
        let Storage { c, x, b, r, .. } = &mut self.storage[level];
        self.pool.each_row(
            &Region::own(shape),
            [r],
            #[inline(always)]
            |row, [r]| {
                let n = r.len();
                let c = Sides::faces(c, &shape, directions, row.place, n);
                let around = Sides::cells(x, &shape, directions, row.place, n);
                let (x, b) = (row.part(x, n), row.part(b, n));
                rows::from_sums_and_diagonals(
                    &c,
                    &around,
                    directions,
                    r,
                    #[inline(always)]
                    |i, sum, diagonal| stencil::residual(b[i], sum, diagonal, x[i]),
                );
            },
        );
    }
}

impl Hierarchy for Multigrid {
    fn levels(&self) -> usize {
        self.storage.len()
    }

    fn relax(&mut self, level: usize, colour: Colour, weight: Weight) -> Result<()> {
        let omega = match weight {
            Weight::Full => 1.0,
            Weight::Joining => self.levels.plan.coarsenings[level].omega,
        };
        self.relax_cells(level, colour, omega);
        self.fill_halo(level)
    }

    fn restrict(&mut self, fine: usize) -> Result<()> {
        self.find_residual(fine);
        self.restrict_residual(fine)
    }

    fn prolong(&mut self, fine: usize) -> Result<()> {
        self.add_correction(fine);
        self.fill_halo(fine)
    }
}
