//! Rows that are relaxed in place by several threads.

use std::cell::UnsafeCell;

use rayon::prelude::*;

use super::{SHARES, Team};
use crate::layout::Layout;
use crate::rows::Sides;

/// Cells that are computed at a time, before those of one colour are stored.
const BLOCK: usize = 512;

/// Neighbouring cells of a row.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// Place in memory of the first.
    pub place: usize,
    /// Their values.
    pub here: &'a [f64],
    /// The values around them.
    pub x: Sides<'a>,
}

/// Values that threads read and write at the same time, in different places.
struct Shared<'a>(&'a [UnsafeCell<f64>]);

// SAFETY: see `Team::relax_rows`, the only place that makes one: threads that work at the same time
// write only what no other of them touches.
#[allow(unsafe_code)]
unsafe impl Sync for Shared<'_> {}

impl<'a> Shared<'a> {
    #[allow(unsafe_code)]
    fn new(values: &'a mut [f64]) -> Self {
        let values: *mut [f64] = values;
        // SAFETY: the borrow is exclusive for as long as `Self` lives, and an UnsafeCell has the
        // memory of what it holds.
        Self(unsafe { &*(values as *const [UnsafeCell<f64>]) })
    }

    /// # Safety
    /// Nobody writes these places while the slice lives.
    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn read(&self, first: usize, count: usize) -> &[f64] {
        let values: *const [UnsafeCell<f64>] = &self.0[first..][..count];
        // SAFETY: the places exist, and the caller promises the rest.
        unsafe { &*(values as *const [f64]) }
    }

    /// # Safety
    /// Nobody else reads or writes these places while the slice lives.
    #[inline(always)]
    #[allow(unsafe_code, clippy::mut_from_ref)]
    unsafe fn write(&self, first: usize, count: usize) -> &mut [f64] {
        let values = &self.0[first..][..count];
        let first = values.as_ptr().cast_mut().cast::<f64>();
        // SAFETY: the places exist and an UnsafeCell may be written through; the caller promises
        // the rest.
        unsafe { std::slice::from_raw_parts_mut(first, count) }
    }
}

/// The padded rows of a share, and which of their cells have the colour.
struct Turn<'a> {
    layout: &'a Layout,
    directions: usize,
    colour: usize,
    rows: std::ops::Range<usize>,
}

impl Team {
    /// Gives every block of own cells to `work`, which computes new values for all of them from
    /// those around them; kept are those whose local indices and `colour` have an even sum.
    ///
    /// A neighbour has the other colour, so no order of work changes the result. In a ring with an
    /// odd number of cells the first and last share a colour: each sees the other's old value, in
    /// the halo.
    pub fn relax_rows(
        &self,
        layout: &Layout,
        directions: usize,
        colour: usize,
        x: &mut [f64],
        work: impl Fn(Block<'_>, &mut [f64]) + Sync,
    ) {
        assert_eq!(x.len(), layout.len(), "an array of another layout");
        let alone = self.is_alone(x.len());
        let x = Shared::new(x);
        let [_, n_j, n_k] = layout.padded();
        let rows = n_j * n_k;
        let turn = |rows| {
            self.vectorised(
                #[inline(always)]
                || Turn { layout, directions, colour, rows }.take(&x, &work),
            );
        };
        let Some(pool) = self.pool.as_ref().filter(|_| !alone) else { return turn(0..rows) };
        // Even shares first, then odd ones: a share is as long as the distance between rows that
        // are neighbours, so what a share reads or writes no other share writes in its turn.
        let apart = if directions == 2 { 1 } else { n_j };
        let most = rows.div_ceil(2 * self.threads * SHARES).max(apart);
        let shares = rows.div_ceil(most);
        pool.install(|| {
            for odd in 0..2 {
                (odd..shares).into_par_iter().step_by(2).for_each(|share| {
                    turn(share * most..rows.min((share + 1) * most));
                });
            }
        });
    }
}

impl Turn<'_> {
    #[inline(always)]
    #[allow(unsafe_code)]
    fn take(&self, x: &Shared<'_>, work: &(impl Fn(Block<'_>, &mut [f64]) + Sync)) {
        let (layout, own) = (self.layout, self.layout.own());
        let ([length, n_j, _], [hx, hy, hz]) = (layout.padded(), layout.halo);
        let strides = layout.strides();
        let mut scratch = [0.0; BLOCK];
        for number in self.rows.clone() {
            let j = (number % n_j) as isize - hy as isize;
            let k = (number / n_j) as isize - hz as isize;
            if !own.has_row(j, k) {
                continue;
            }
            for first in (0..layout.cells[0]).step_by(BLOCK) {
                let place = number * length + hx + first;
                let out = &mut scratch[..BLOCK.min(layout.cells[0] - first)];
                let n = out.len();
                let part = |d: usize, place: usize| {
                    let n = if d < self.directions { n } else { 0 };
                    // SAFETY: these places are in this thread's share or in those beside it, which
                    // nobody else writes; this thread does so below, when `work` is done.
                    unsafe { x.read(place, n) }
                };
                let plane = |d| if d < self.directions { strides[d] } else { 0 };
                let around = Sides {
                    low: std::array::from_fn(|d| part(d, place - plane(d))),
                    high: std::array::from_fn(|d| part(d, place + plane(d))),
                };
                work(Block { place, here: part(0, place), x: around }, out);
                // SAFETY: this thread's share, which nobody else reads or writes now.
                let here = unsafe { x.write(place, n) };
                // The first cell of the block that has the colour.
                let kept = (first + j as usize + k as usize + self.colour) % 2;
                for i in (kept..n).step_by(2) {
                    here[i] = out[i];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gauss-Seidel towards the mean of the neighbours, cell by cell.
    fn by_hand(layout: &Layout, directions: usize, colour: usize, x: &mut [f64]) {
        let n = layout.cells.map(|n| n as isize);
        for k in 0..n[2] {
            for j in 0..n[1] {
                for i in (0..n[0]).filter(|i| (i + j + k + colour as isize) % 2 == 0) {
                    let place = layout.index([i, j, k]);
                    let strides = layout.strides();
                    let pairs =
                        (0..directions).map(|d| x[place - strides[d]] + x[place + strides[d]]);
                    x[place] = pairs.sum();
                }
            }
        }
    }

    #[test]
    fn turns_give_what_single_cells_give() {
        for (cells, threads) in [
            ([7, 5, 1], 1),
            ([1100, 3, 1], 1),
            ([400, 301, 1], 3),
            ([61, 50, 47], 4),
            ([5, 4, 3], 1),
            ([30, 500, 9], 8),
        ] {
            let directions = if cells[2] == 1 { 2 } else { 3 };
            let layout = Layout { cells, halo: [2, 1, directions - 2] };
            let team = Team::new(threads).expect("threads");
            for colour in 0..2 {
                let mut x: Vec<f64> =
                    (0..layout.len()).map(|n| ((n * 7919) % 1009) as f64).collect();
                let mut expected = x.clone();
                by_hand(&layout, directions, colour, &mut expected);
                team.relax_rows(&layout, directions, colour, &mut x, |block, out| {
                    for i in 0..out.len() {
                        let pair = |d: usize| block.x.low[d][i] + block.x.high[d][i];
                        out[i] = (0..directions).map(pair).sum();
                    }
                });
                assert_eq!(x, expected, "{cells:?}, {threads} threads, colour {colour}");
            }
        }
    }
}
