//! The threads of one rank, working on rows of cells with the widest vectors that the processor has.

use std::sync::Arc;

use pulp::Arch;

use crate::error::Result;
use crate::field::Shape;
use crate::real::Real;
use crate::registers;
use crate::shared_loop::{self, share, share_each};
use crate::threads_here;

/// Shares of the rows that each thread takes at a time; several, so that a late thread can be helped.
const SHARES: usize = 2;

/// What is found from some rows: the first, how many there are, and their lines in each array.
type OfLines<'a, E, T, const W: usize> = dyn Fn(usize, usize, [&mut [E]; W]) -> T + Sync + 'a;

/// One row of cells along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Second index of the row, own rows from 0.
    pub j: isize,
    /// Third index of the row.
    pub k: isize,
    /// Number of the row in memory, halo rows counted.
    pub number: usize,
    /// Place of the row's first own cell in an array of the padded shape.
    pub place: usize,
}

/// Own cells of a shape and some layers of its high halos.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Where the cells lie.
    pub shape: Shape,
    /// Layers beyond the own cells at the high end of each direction, at most the halo.
    pub beyond: [usize; 3],
}

/// Threads and instruction set; a clone has the same threads.
#[derive(Clone, Debug)]
pub struct ThreadPool {
    pool: Option<Arc<rayon::ThreadPool>>,
    threads: usize,
    worth_sharing: usize,
    arch: Arch,
}

impl Row {
    /// The row with these indices.
    #[inline(always)]
    pub fn of(shape: &Shape, j: isize, k: isize) -> Self {
        let place = shape.index([0, j, k]);
        Self { j, k, number: place / shape.padded()[0], place }
    }

    /// The row's first `n` own cells in an array of the padded shape.
    #[inline(always)]
    pub fn part<'a, T>(&self, array: &'a [T], n: usize) -> &'a [T] {
        &array[self.place..][..n]
    }
}

impl Region {
    /// All own cells.
    pub fn own(shape: Shape) -> Self {
        Self { shape, beyond: [0; 3] }
    }

    /// All low faces of own cells in a direction and the last high ones.
    pub fn faces(shape: Shape, direction: usize) -> Self {
        let mut region = Self::own(shape);
        region.beyond[direction] = 1;
        region
    }

    /// Cells per direction.
    #[inline(always)]
    pub fn cells(&self) -> [usize; 3] {
        let ([n_i, n_j, n_k], [i, j, k]) = (self.shape.cells, self.beyond);
        [n_i + i, n_j + j, n_k + k]
    }

    /// Whether a row belongs to it.
    #[inline(always)]
    pub fn has_row(&self, j: isize, k: isize) -> bool {
        let [_, n_j, n_k] = self.cells();
        j >= 0 && k >= 0 && (j as usize) < n_j && (k as usize) < n_k
    }
}

impl ThreadPool {
    /// So many threads, at least one: those of the pool that this is called in, if it has as many. A loop over fewer values than
    /// `worth_sharing` runs on one of them: starting the others would take longer.
    ///
    /// # Errors
    /// If the system refuses them.
    pub fn new(threads: usize, worth_sharing: usize) -> Result<Self> {
        let threads = threads.max(1);
        let pool = (threads > 1).then(|| threads_here::pool(threads)).transpose()?;
        Ok(Self { pool, threads, worth_sharing, arch: Arch::new() })
    }

    /// How many there are.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The instructions that the processor has.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// Runs a loop with the widest vectors. Closures that are marked `#[inline(always)]` are compiled
    /// for them.
    #[inline(always)]
    pub fn vectorised<R>(&self, compute: impl FnOnce() -> R) -> R {
        registers::vectorised(self.arch, compute)
    }

    /// Does something on one of these threads, if there are any, which does not sleep at each of its loops until all are done.
    pub fn within<R: Send>(pool: Option<Self>, compute: impl FnOnce() -> R + Send) -> R {
        let Some(pool) = pool else { return compute() };
        pool.install(compute)
    }

    /// Does something with all threads to share.
    pub fn install<R: Send>(&self, compute: impl FnOnce() -> R + Send) -> R {
        let Some(pool) = &self.pool else { return compute() };
        let (mut compute, mut found) = (Some(compute), None);
        shared_loop::install(pool, &mut || found = compute.take().map(|compute| compute()));
        found.unwrap_or_else(|| unreachable!("what is installed is done"))
    }

    /// Whether a loop over so many values runs on one thread.
    pub fn is_alone(&self, values: usize) -> bool {
        self.pool.is_none() || values < self.worth_sharing
    }

    /// Gives shares of so many rows to `compute`: every second one first, then the others, so that no two
    /// neighbours are done at the same time. A share has `fewest` rows at least.
    pub fn alternate_shares(
        &self,
        rows: usize,
        fewest: usize,
        compute: impl Fn(std::ops::Range<usize>) + Sync,
    ) {
        let most = rows.div_ceil(2 * self.threads * SHARES).max(fewest);
        let shares = rows.div_ceil(most);
        self.install(|| {
            for odd in 0..2 {
                share(shares.saturating_sub(odd).div_ceil(2), 1, &|pair| {
                    let first = (2 * pair + odd) * most;
                    compute(first..rows.min(first + most));
                });
            }
        });
    }

    /// Gives every row of a region to `compute`, with the region's cells of that row in each of the
    /// `arrays`, which have the padded shape.
    pub fn each_row<E: Real, const W: usize>(
        &self,
        region: &Region,
        arrays: [&mut [E]; W],
        compute: impl Fn(Row, [&mut [E]; W]) + Sync,
    ) {
        self.reduce_rows(
            region,
            arrays,
            (),
            #[inline(always)]
            |row, values| compute(row, values),
            |(), ()| (),
        );
    }

    /// The same, and the largest magnitudes of what `compute` returned; not a number if any is.
    pub fn largest_of_rows<E: Real, const W: usize, const N: usize>(
        &self,
        region: &Region,
        arrays: [&mut [E]; W],
        compute: impl Fn(Row, [&mut [E]; W]) -> [E; N] + Sync,
    ) -> [E; N] {
        self.reduce_rows(region, arrays, [E::default(); N], compute, larger)
    }

    /// The same, and the exact sums of what `compute` returned.
    pub fn sum_of_rows<E: Real, const W: usize, const N: usize>(
        &self,
        region: &Region,
        arrays: [&mut [E]; W],
        compute: impl Fn(Row, [&mut [E]; W]) -> [i128; N] + Sync,
    ) -> [i128; N] {
        let add = |a: [i128; N], b: [i128; N]| std::array::from_fn(|n| a[n] + b[n]);
        self.reduce_rows(region, arrays, [0; N], compute, add)
    }

    /// The same, with what `compute` returned joined in no particular order, starting from `zero`.
    pub fn reduce_rows<E: Real, T: Copy + Send + Sync, const W: usize>(
        &self,
        region: &Region,
        arrays: [&mut [E]; W],
        zero: T,
        compute: impl Fn(Row, [&mut [E]; W]) -> T + Sync,
        join: impl Fn(T, T) -> T + Sync,
    ) -> T {
        let length = region.shape.padded()[0];
        let (first, cells) = (region.shape.halo[0], region.cells()[0]);
        self.reduce_lines(
            region,
            length,
            arrays,
            zero,
            #[inline(always)]
            |row, lines| {
                let own = lines.map(
                    #[inline(always)]
                    |line| &mut line[first..][..cells],
                );
                compute(row, own)
            },
            join,
        )
    }

    /// The largest magnitudes of what `compute` returned for whole lines, as [`Self::reduce_lines`].
    pub fn largest_of_lines<E: Real, const W: usize, const N: usize>(
        &self,
        region: &Region,
        length: usize,
        arrays: [&mut [E]; W],
        compute: impl Fn(Row, [&mut [E]; W]) -> [E; N] + Sync,
    ) -> [E; N] {
        self.reduce_lines(region, length, arrays, [E::default(); N], compute, larger)
    }

    /// The same with whole lines of memory, `length` values long, one for each row of the padded shape.
    pub fn reduce_lines<E: Real, T: Copy + Send + Sync, const W: usize>(
        &self,
        region: &Region,
        length: usize,
        arrays: [&mut [E]; W],
        zero: T,
        compute: impl Fn(Row, [&mut [E]; W]) -> T + Sync,
        join: impl Fn(T, T) -> T + Sync,
    ) -> T {
        let [_, n_j, n_k] = region.shape.padded();
        let rows = n_j * n_k;
        assert!(arrays.iter().all(|array| array.len() == rows * length), "arrays of another shape");
        let compute_rows = |first: usize, count: usize, arrays: [&mut [E]; W]| {
            self.vectorised(
                #[inline(always)]
                || some_rows(region, length, first, count, arrays, zero, &compute, &join),
            )
        };
        if self.is_alone(rows * length) {
            return compute_rows(0, rows, arrays);
        }
        let results = self.share_lines((rows, length), arrays, zero, &compute_rows);
        results.into_iter().fold(zero, join)
    }

    /// What `compute` finds from shares of so many rows with lines of so many values, by all threads.
    fn share_lines<E: Real, T: Copy + Send + Sync, const W: usize>(
        &self,
        (rows, length): (usize, usize),
        arrays: [&mut [E]; W],
        zero: T,
        compute: &OfLines<'_, E, T, W>,
    ) -> Vec<T> {
        let most = rows.div_ceil(self.threads * SHARES);
        let mut chunks = arrays.map(|array| array.chunks_mut(most * length));
        let shares = (0..rows.div_ceil(most))
            .map(|_| (chunks.each_mut().map(|chunks| chunks.next().unwrap_or_default()), zero));
        let shares = self.install(|| {
            share_each(shares, 1, |number, (arrays, result)| {
                let first = number * most;
                let arrays = arrays.each_mut().map(|array| &mut **array);
                *result = compute(first, most.min(rows - first), arrays);
            })
        });
        shares.into_iter().map(|(_, result)| result).collect()
    }
}

/// Computes those of `count` padded rows that belong to a region; `arrays` begin with the first.
#[inline(always)]
fn some_rows<E: Real, T: Copy, const W: usize>(
    region: &Region,
    length: usize,
    first: usize,
    count: usize,
    mut arrays: [&mut [E]; W],
    zero: T,
    compute: &impl Fn(Row, [&mut [E]; W]) -> T,
    join: &impl Fn(T, T) -> T,
) -> T {
    let shape = &region.shape;
    let ([padded, n_j, _], [hx, hy, hz]) = (shape.padded(), shape.halo);
    let mut total = zero;
    let (mut j, mut k) =
        ((first % n_j) as isize - hy as isize, (first / n_j) as isize - hz as isize);
    for n in 0..count {
        if region.has_row(j, k) {
            let number = first + n;
            let row = Row { j, k, number, place: number * padded + hx };
            let lines = arrays.each_mut().map(|array| &mut array[n * length..][..length]);
            // Called as what they are, not through a reference: only so are they inlined, and compiled
            // for the vectors of this function.
            total = (*join)(total, (*compute)(row, lines));
        }
        j += 1;
        if j == shape.all(1).end {
            j = shape.all(1).start;
            k += 1;
        }
    }
    total
}

#[inline(always)]
fn larger<E: Real, const N: usize>(a: [E; N], b: [E; N]) -> [E; N] {
    std::array::from_fn(|n| a[n].max_magnitude(b[n]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_a_region_comes_once() {
        for (shape, threads) in [
            (Shape { cells: [5, 4, 3], halo: [2, 1, 1] }, 1),
            (Shape { cells: [101, 37, 29], halo: [2, 1, 1] }, 3),
            (Shape { cells: [400, 300, 1], halo: [1, 1, 0] }, 4),
        ] {
            let pool = ThreadPool::new(threads, 40_000).expect("threads");
            assert_eq!(pool.is_alone(shape.len()), threads == 1);
            for region in [Region::own(shape), Region::faces(shape, 0), Region::faces(shape, 1)] {
                let mut a = vec![0.0; shape.len()];
                let mut b = a.clone();
                let sums = pool.sum_of_rows(&region, [&mut a, &mut b], |row, [a, b]| {
                    a.iter_mut().for_each(|a| *a += 1.0);
                    b.iter_mut().enumerate().for_each(|(i, b)| *b = (row.place + i) as f64);
                    [1, a.len() as i128]
                });
                let [nx, ny, nz] = region.cells();
                assert_eq!(sums, [(ny * nz) as i128, (nx * ny * nz) as i128]);
                for k in shape.all(2) {
                    for j in shape.all(1) {
                        for i in shape.all(0) {
                            let place = shape.index([i, j, k]);
                            let inside = (0..nx as isize).contains(&i) && region.has_row(j, k);
                            assert_eq!(a[place], f64::from(u8::from(inside)));
                            assert_eq!(b[place], if inside { place as f64 } else { 0.0 });
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn shares_take_turns() {
        for threads in [1, 3] {
            let pool = ThreadPool::new(threads, 40_000).expect("threads");
            let counts: Vec<_> = (0..100).map(|_| std::sync::atomic::AtomicU8::new(0)).collect();
            pool.alternate_shares(100, 7, |rows| {
                assert!(rows.len() >= 7 || rows.end == 100);
                for row in rows {
                    counts[row].fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                }
            });
            assert!(counts.into_iter().all(|count| count.into_inner() == 1));
        }
    }

    #[test]
    fn the_largest_may_be_no_number() {
        let shape = Shape { cells: [3, 2, 1], halo: [1, 1, 0] };
        let pool = ThreadPool::new(1, 0).expect("a thread");
        let of = |value: f64| {
            let [most] = pool.largest_of_rows(&Region::own(shape), [], |row, []| {
                [if row.j == 1 { value } else { 2.0 }]
            });
            most
        };
        assert_eq!(of(-3.0), 3.0);
        assert_eq!(of(1.0), 2.0);
        assert!(of(f64::NAN).is_nan());
    }
}
