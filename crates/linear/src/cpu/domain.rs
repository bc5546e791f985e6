//! The cells of a rank, and vectors on them.

use std::sync::Arc;

use vortice_core::{Region, Result, ThreadPool};

use super::multigrid::Multigrid;
use crate::exchange::Exchange;
use crate::levels::Level;
use crate::stencil;
use crate::sums::{MOST_PAIRS, Sum};

/// The cells of a rank, the ranks beside it and its threads.
#[derive(Clone)]
pub struct Domain {
    /// Where the cells lie.
    pub level: Level,
    /// What ranks tell each other.
    pub exchange: Arc<Exchange>,
    /// Threads.
    pub pool: Arc<ThreadPool>,
}

impl Domain {
    /// That of the finest level of a multigrid.
    pub fn of(grids: &Multigrid) -> Self {
        let (exchange, pool) = (grids.exchange().clone(), grids.pool().clone());
        Self { level: *grids.level(), exchange, pool }
    }

    /// The rank's own cells.
    pub fn own(&self) -> Region {
        Region::own(self.level.shape)
    }

    /// Fills the halo of x.
    pub fn fill_halo(&self, x: &mut [f64]) -> Result<()> {
        self.exchange.fill(self.level.number, &mut [x])
    }

    /// Inner products over all ranks, at most [`MOST_PAIRS`]; bits do not depend on ranks and
    /// threads.
    pub fn dots(&self, pairs: &[(&[f64], &[f64])]) -> Result<[f64; MOST_PAIRS]> {
        assert!(pairs.len() <= MOST_PAIRS, "too many products at once");
        let n = self.level.shape.cells[0];
        let mut sums = self.pool.reduce_rows::<f64, _, 0>(
            &self.own(),
            [],
            [Sum::default(); MOST_PAIRS],
            #[inline(always)]
            |row, []| {
                let mut sums = [Sum::default(); MOST_PAIRS];
                for (sum, (x, y)) in sums.iter_mut().zip(pairs) {
                    *sum = Sum::of_products(row.part(x, n), row.part(y, n));
                }
                sums
            },
            #[inline(always)]
            |a, b| std::array::from_fn(|pair| a[pair].join(b[pair])),
        );
        Sum::over_ranks(&*self.exchange.ranks, &mut sums[..pairs.len()])?;
        Ok(sums.map(Sum::value))
    }

    /// y = x in own cells.
    pub fn copy(&self, x: &[f64], y: &mut [f64]) {
        self.update(
            [x],
            y,
            #[inline(always)]
            |[x], y| y.copy_from_slice(x),
        );
    }

    /// r = b - q.
    pub fn subtract(&self, b: &[f64], q: &[f64], r: &mut [f64]) {
        self.update(
            [b, q],
            r,
            #[inline(always)]
            |[b, q], r| set(r, |i, _| b[i] - q[i]),
        );
    }

    /// y = y + a x.
    pub fn axpy(&self, a: f64, x: &[f64], y: &mut [f64]) {
        self.update(
            [x],
            y,
            #[inline(always)]
            |[x], y| set(y, |i, y| stencil::axpy(a, x[i], y)),
        );
    }

    /// y = x + b y.
    pub fn xpby(&self, x: &[f64], b: f64, y: &mut [f64]) {
        self.update(
            [x],
            y,
            #[inline(always)]
            |[x], y| set(y, |i, y| stencil::axpy(b, y, x[i])),
        );
    }

    /// p = r + beta (p - omega v).
    pub fn direction(&self, r: &[f64], beta: f64, p: &mut [f64], omega: f64, v: &[f64]) {
        self.update(
            [r, v],
            p,
            #[inline(always)]
            |[r, v], p| set(p, |i, p| stencil::direction(r[i], beta, p, omega, v[i])),
        );
    }

    /// z = m r, cell by cell.
    pub(crate) fn multiply(&self, m: &[f64], r: &[f64], z: &mut [f64]) {
        self.update(
            [m, r],
            z,
            #[inline(always)]
            |[m, r], z| set(z, |i, _| m[i] * r[i]),
        );
    }

    /// One over each value, 0 for 0.
    pub(crate) fn invert(&self, x: &[f64], y: &mut [f64]) {
        self.update(
            [x],
            y,
            #[inline(always)]
            |[x], y| set(y, |i, _| stencil::inverse(x[i])),
        );
    }

    /// Changes the rows of a vector; `work` gets those of the vectors that are read, too.
    fn update<const N: usize>(
        &self,
        read: [&[f64]; N],
        written: &mut [f64],
        work: impl Fn([&[f64]; N], &mut [f64]) + Sync,
    ) {
        let n = self.level.shape.cells[0];
        self.pool.each_row(
            &self.own(),
            [written],
            #[inline(always)]
            |row, [written]| work(read.map(|x| row.part(x, n)), written),
        );
    }
}

/// Each value from itself and others.
#[inline(always)]
fn set(values: &mut [f64], value: impl Fn(usize, f64) -> f64) {
    for i in 0..values.len() {
        values[i] = value(i, values[i]);
    }
}
