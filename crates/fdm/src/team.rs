//! The threads of one rank, working on rows of cells with the widest vectors that the processor has.

use rayon::prelude::*;
use vortice_core::{Error, Real, Result, Shape};

/// Below this many values a loop is faster on one thread: starting the others costs more.
const WORTH_SHARING: usize = 100_000;

/// Shares of the rows that each thread takes at a time; several, so that a late thread can be helped.
const SHARES: usize = 2;

/// One row of cells along x.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Second index of the row, own rows from 0.
    pub(crate) j: isize,
    /// Third index of the row.
    pub(crate) k: isize,
    /// Number of the row in memory, halo rows counted.
    pub(crate) number: usize,
}

/// Threads and instruction set.
pub(crate) struct Team {
    pool: Option<rayon::ThreadPool>,
    threads: usize,
    arch: pulp::Arch,
}

impl Team {
    /// A team of `threads` threads.
    ///
    /// # Errors
    /// If the system refuses them.
    pub(crate) fn new(threads: usize) -> Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|refusal| Error::Ranks {
            problem: format!("{threads} threads cannot be started: {refusal}"),
            remedy: "ask for fewer with --threads".into(),
        })?;
        Ok(Self { pool: (threads > 1).then_some(pool), threads, arch: pulp::Arch::new() })
    }

    /// Runs a loop with the widest vectors.
    #[inline(always)]
    pub(crate) fn vectorised<R>(&self, work: impl FnOnce() -> R) -> R {
        self.arch.dispatch(work)
    }

    /// Whether a loop over so many values runs on one thread.
    pub(crate) fn is_alone(&self, values: usize) -> bool {
        self.pool.is_none() || values < WORTH_SHARING
    }

    /// Gives every own row of `array`, whose rows are `length` long, to `work`.
    pub(crate) fn each_row<T: Real>(
        &self,
        shape: &Shape,
        length: usize,
        array: &mut [T],
        work: impl Fn(Row, &mut [T]) + Sync,
    ) {
        self.largest_of_rows(
            shape,
            length,
            array,
            #[inline(always)]
            |row, values| {
                work(row, values);
                []
            },
        );
    }

    /// The same with the rows of two arrays of one shape.
    pub(crate) fn each_row_of_two<T: Real>(
        &self,
        shape: &Shape,
        length: usize,
        [one, two]: [&mut [T]; 2],
        work: impl Fn(Row, [&mut [T]; 2]) + Sync,
    ) {
        let some_rows = |first: usize, one: &mut [T], two: &mut [T]| {
            self.vectorised(
                #[inline(always)]
                || {
                    let mut row = Row::numbered(shape, first);
                    let rows = one.chunks_exact_mut(length).zip(two.chunks_exact_mut(length));
                    for (one, two) in rows {
                        if row.is_own(shape) {
                            work(row, [one, two]);
                        }
                        row.step(shape);
                    }
                },
            );
        };
        match &self.pool {
            Some(pool) if !self.is_alone(one.len()) => {
                let rows = self.rows_of_share(one.len() / length);
                let shares =
                    one.par_chunks_mut(rows * length).zip(two.par_chunks_mut(rows * length));
                pool.install(|| {
                    shares
                        .enumerate()
                        .for_each(|(share, (one, two))| some_rows(share * rows, one, two));
                });
            }
            _ => some_rows(0, one, two),
        }
    }

    /// How many of so many rows a thread takes at a time.
    fn rows_of_share(&self, rows: usize) -> usize {
        rows.div_ceil(self.threads * SHARES)
    }

    /// The same with one array, and the largest magnitudes of what `work` returned.
    pub(crate) fn largest_of_rows<T: Real, const N: usize>(
        &self,
        shape: &Shape,
        length: usize,
        array: &mut [T],
        work: impl Fn(Row, &mut [T]) -> [T; N] + Sync,
    ) -> [T; N] {
        let some_rows = |first: usize, values: &mut [T]| {
            self.vectorised(
                #[inline(always)]
                || {
                    let mut largest = [T::default(); N];
                    let mut row = Row::numbered(shape, first);
                    for values in values.chunks_exact_mut(length) {
                        if row.is_own(shape) {
                            largest = larger(largest, work(row, values));
                        }
                        row.step(shape);
                    }
                    largest
                },
            )
        };
        match &self.pool {
            Some(pool) if !self.is_alone(array.len()) => {
                let rows = self.rows_of_share(array.len() / length);
                pool.install(|| {
                    array
                        .par_chunks_mut(rows * length)
                        .enumerate()
                        .map(|(share, values)| some_rows(share * rows, values))
                        .reduce(|| [T::default(); N], larger)
                })
            }
            _ => some_rows(0, array),
        }
    }
}

impl Row {
    fn numbered(shape: &Shape, number: usize) -> Self {
        let [_, n_j, _] = shape.padded();
        let j = (number % n_j) as isize - shape.halo[1] as isize;
        let k = (number / n_j) as isize - shape.halo[2] as isize;
        Self { j, k, number }
    }

    /// Whether the row's cells are the rank's own, not its halo.
    #[inline(always)]
    fn is_own(&self, shape: &Shape) -> bool {
        shape.own(1).contains(&self.j) && shape.own(2).contains(&self.k)
    }

    /// Goes on to the next row in memory.
    #[inline(always)]
    fn step(&mut self, shape: &Shape) {
        self.number += 1;
        self.j += 1;
        if self.j == shape.all(1).end {
            self.j = shape.all(1).start;
            self.k += 1;
        }
    }
}

#[inline(always)]
fn larger<T: Real, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
    std::array::from_fn(|c| a[c].max_magnitude(b[c]))
}
