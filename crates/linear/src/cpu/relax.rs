//! Rows that are relaxed in place by several threads.

use std::cell::UnsafeCell;

use vortice_core::{Region, Shape, ThreadPool};

use super::rows::Sides;

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

// SAFETY: see `relax_rows`, the only place that makes one: threads that work at the same time
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
    /// No thread writes these places while the slice lives.
    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn read(&self, first: usize, count: usize) -> &[f64] {
        let values: *const [UnsafeCell<f64>] = &self.0[first..][..count];
        // SAFETY: the places exist, and the caller promises the rest.
        unsafe { &*(values as *const [f64]) }
    }

    /// # Safety
    /// No other thread reads or writes these places while the slice lives.
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
    shape: &'a Shape,
    directions: usize,
    colour: usize,
    rows: std::ops::Range<usize>,
}

/// Gives every block of own cells to `compute`, which computes new values for all of them from those
/// around them; kept are those whose local indices and `colour` have an even sum.
///
/// A neighbour has the other colour, so no order of work changes the result. In a ring with an odd
/// number of cells the first and last share a colour: each sees the other's old value, in the halo.
pub fn relax_rows(
    pool: &ThreadPool,
    shape: &Shape,
    directions: usize,
    colour: usize,
    x: &mut [f64],
    compute: impl Fn(Block<'_>, &mut [f64]) + Sync,
) {
    assert_eq!(x.len(), shape.len(), "an array of another shape");
    let alone = pool.is_alone(x.len());
    let x = Shared::new(x);
    let [_, n_j, n_k] = shape.padded();
    let rows = n_j * n_k;
    let turn = |rows| {
        pool.vectorised(
            #[inline(always)]
            || Turn { shape, directions, colour, rows }.take(&x, &compute),
        );
    };
    if alone {
        return turn(0..rows);
    }
    // A share is as long as the distance between rows that are neighbours, so what a share reads or
    // writes no other share writes in its turn.
    pool.alternate_shares(rows, if directions == 2 { 1 } else { n_j }, turn);
}

impl Turn<'_> {
    #[inline(always)]
    #[allow(unsafe_code)]
    fn take(&self, x: &Shared<'_>, compute: &(impl Fn(Block<'_>, &mut [f64]) + Sync)) {
        let (shape, own) = (self.shape, Region::own(*self.shape));
        let ([length, n_j, _], [hx, hy, hz]) = (shape.padded(), shape.halo);
        let strides = shape.strides();
        let mut scratch = [0.0; BLOCK];
        for number in self.rows.clone() {
            let j = (number % n_j) as isize - hy as isize;
            let k = (number / n_j) as isize - hz as isize;
            if !own.has_row(j, k) {
                continue;
            }
            for first in (0..shape.cells[0]).step_by(BLOCK) {
                let place = number * length + hx + first;
                let out = &mut scratch[..BLOCK.min(shape.cells[0] - first)];
                let n = out.len();
                let part = |d: usize, place: usize| {
                    let n = if d < self.directions { n } else { 0 };
                    // SAFETY: these places are in this thread's share or in those beside it, which
                    // no other writes; this thread does so below, when `compute` is done.
                    unsafe { x.read(place, n) }
                };
                let plane = |d| if d < self.directions { strides[d] } else { 0 };
                let around = Sides {
                    low: std::array::from_fn(|d| part(d, place - plane(d))),
                    high: std::array::from_fn(|d| part(d, place + plane(d))),
                };
                compute(Block { place, here: part(0, place), x: around }, out);
                // SAFETY: this thread's share, which no other reads or writes now.
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
    fn by_hand(shape: &Shape, directions: usize, colour: usize, x: &mut [f64]) {
        let n = shape.cells.map(|n| n as isize);
        for k in 0..n[2] {
            for j in 0..n[1] {
                for i in (0..n[0]).filter(|i| (i + j + k + colour as isize) % 2 == 0) {
                    let place = shape.index([i, j, k]);
                    let strides = shape.strides();
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
            let shape = Shape { cells, halo: [2, 1, directions - 2] };
            let pool = ThreadPool::new(threads, 40_000).expect("threads");
            for colour in 0..2 {
                let mut x: Vec<f64> =
                    (0..shape.len()).map(|n| ((n * 7919) % 1009) as f64).collect();
                let mut expected = x.clone();
                by_hand(&shape, directions, colour, &mut expected);
                relax_rows(&pool, &shape, directions, colour, &mut x, |block, out| {
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
