//! The threads of one rank, working on rows of cells with the widest vectors that the processor has.

mod turns;

use rayon::prelude::*;

use crate::error::Error;
use crate::layout::Region;
use crate::sums;

pub use turns::Block;

/// Below this many values a loop is faster on one thread: starting the others costs more.
const WORTH_SHARING: usize = 40_000;

/// Shares of the rows that each thread takes at a time; several, so that a late thread can be helped.
const SHARES: usize = 2;

/// One row of cells along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Second index of the row, own rows from 0.
    pub j: isize,
    /// Third index of the row.
    pub k: isize,
    /// Place in memory of the row's first own cell.
    pub place: usize,
}

impl Row {
    /// The row's first `n` own cells in an array.
    #[inline(always)]
    pub fn part<'a>(&self, array: &'a [f64], n: usize) -> &'a [f64] {
        &array[self.place..][..n]
    }
}

/// Threads and instruction set.
#[derive(Debug)]
pub struct Team {
    pool: Option<rayon::ThreadPool>,
    threads: usize,
    arch: pulp::Arch,
}

impl Team {
    /// A team of `threads` threads, at least one.
    ///
    /// # Errors
    /// If the system refuses them.
    pub fn new(threads: usize) -> Result<Self, Error> {
        let threads = threads.max(1);
        let pool = if threads > 1 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            Some(pool.map_err(|error| Error::Threads { threads, refusal: error.to_string() })?)
        } else {
            None
        };
        Ok(Self { pool, threads, arch: pulp::Arch::new() })
    }

    /// Runs a loop with the widest vectors.
    #[inline(always)]
    pub fn vectorised<R>(&self, work: impl FnOnce() -> R) -> R {
        self.arch.dispatch(work)
    }

    /// Whether a loop over so many values runs on one thread.
    pub fn is_alone(&self, values: usize) -> bool {
        self.pool.is_none() || values < WORTH_SHARING
    }

    /// Gives every row of a region to `work`, with the region's cells of that row in each of the
    /// `arrays`, which have the region's layout. Closures that are marked `#[inline(always)]` are
    /// compiled for the widest vectors.
    pub fn each_row<const W: usize>(
        &self,
        region: &Region,
        arrays: [&mut [f64]; W],
        work: impl Fn(Row, [&mut [f64]; W]) + Sync,
    ) {
        self.reduce_rows(
            region,
            arrays,
            (),
            #[inline(always)]
            |row, values| work(row, values),
            |(), ()| (),
        );
    }

    /// The same, and the largest magnitudes of what `work` returned; not a number if any is.
    pub fn largest_of_rows<const W: usize, const N: usize>(
        &self,
        region: &Region,
        arrays: [&mut [f64]; W],
        work: impl Fn(Row, [&mut [f64]; W]) -> [f64; N] + Sync,
    ) -> [f64; N] {
        let largest = self.reduce_rows(
            region,
            arrays,
            [0; N],
            #[inline(always)]
            |row, values| work(row, values).map(sums::magnitude),
            |a, b| std::array::from_fn(|n| a[n].max(b[n])),
        );
        largest.map(f64::from_bits)
    }

    /// The same, and the exact sums of what `work` returned.
    pub fn sum_of_rows<const W: usize, const N: usize>(
        &self,
        region: &Region,
        arrays: [&mut [f64]; W],
        work: impl Fn(Row, [&mut [f64]; W]) -> [i128; N] + Sync,
    ) -> [i128; N] {
        let add = |a: [i128; N], b: [i128; N]| std::array::from_fn(|n| a[n] + b[n]);
        self.reduce_rows(region, arrays, [0; N], work, add)
    }

    /// The same, with what `work` returned joined in no particular order, starting from `zero`.
    pub fn reduce_rows<T: Copy + Send + Sync, const W: usize>(
        &self,
        region: &Region,
        arrays: [&mut [f64]; W],
        zero: T,
        work: impl Fn(Row, [&mut [f64]; W]) -> T + Sync,
        join: impl Fn(T, T) -> T + Sync,
    ) -> T {
        let values = region.layout.len();
        let [length, n_j, n_k] = region.layout.padded();
        let rows = n_j * n_k;
        assert!(arrays.iter().all(|array| array.len() == values), "arrays of another layout");
        let share = |first: usize, count: usize, arrays: [&mut [f64]; W]| {
            self.vectorised(
                #[inline(always)]
                || some_rows(region, first, count, arrays, zero, &work, &join),
            )
        };
        match &self.pool {
            Some(pool) if !self.is_alone(values) => {
                let most = rows.div_ceil(self.threads * SHARES);
                let mut chunks = arrays.map(|array| array.chunks_mut(most * length));
                let shares: Vec<_> = (0..rows)
                    .step_by(most)
                    .map(|first| {
                        let arrays =
                            chunks.each_mut().map(|chunks| chunks.next().unwrap_or_default());
                        (first, most.min(rows - first), arrays)
                    })
                    .collect();
                pool.install(|| {
                    shares
                        .into_par_iter()
                        .map(|(first, count, arrays)| share(first, count, arrays))
                        .reduce(|| zero, &join)
                })
            }
            _ => share(0, rows, arrays),
        }
    }
}

/// Works on those of `count` padded rows that belong to a region; `arrays` begin with the first.
#[inline(always)]
fn some_rows<T: Copy, const W: usize>(
    region: &Region,
    first: usize,
    count: usize,
    mut arrays: [&mut [f64]; W],
    zero: T,
    work: &impl Fn(Row, [&mut [f64]; W]) -> T,
    join: &impl Fn(T, T) -> T,
) -> T {
    let layout = &region.layout;
    let ([length, n_j, _], [hx, hy, hz]) = (layout.padded(), layout.halo);
    let cells = region.cells()[0];
    let mut total = zero;
    let (mut j, mut k) =
        ((first % n_j) as isize - hy as isize, (first / n_j) as isize - hz as isize);
    for n in 0..count {
        if region.has_row(j, k) {
            let row = Row { j, k, place: (first + n) * length + hx };
            let own = arrays.each_mut().map(|array| &mut array[n * length + hx..][..cells]);
            // Called as what they are, not through a reference: only so are they inlined, and compiled
            // for the vectors of this function.
            total = (*join)(total, (*work)(row, own));
        }
        j += 1;
        if j == layout.all(1).end {
            j = layout.all(1).start;
            k += 1;
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;

    #[test]
    fn every_row_of_a_region_comes_once() {
        for (layout, threads) in [
            (Layout { cells: [5, 4, 3], halo: [2, 1, 1] }, 1),
            (Layout { cells: [101, 37, 29], halo: [2, 1, 1] }, 3),
            (Layout { cells: [400, 300, 1], halo: [1, 1, 0] }, 4),
        ] {
            let team = Team::new(threads).expect("threads");
            assert_eq!(team.is_alone(layout.len()), threads == 1);
            for region in [layout.own(), layout.faces(0), layout.faces(1)] {
                let mut a = vec![0.0; layout.len()];
                let mut b = a.clone();
                let sums = team.sum_of_rows(&region, [&mut a, &mut b], |row, [a, b]| {
                    a.iter_mut().for_each(|a| *a += 1.0);
                    b.iter_mut().enumerate().for_each(|(i, b)| *b = (row.place + i) as f64);
                    [1, a.len() as i128]
                });
                let [nx, ny, nz] = region.cells();
                assert_eq!(sums, [(ny * nz) as i128, (nx * ny * nz) as i128]);
                for k in layout.all(2) {
                    for j in layout.all(1) {
                        for i in layout.all(0) {
                            let place = layout.index([i, j, k]);
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
    fn the_largest_may_be_no_number() {
        let layout = Layout { cells: [3, 2, 1], halo: [1, 1, 0] };
        let team = Team::new(1).expect("a thread");
        let of = |value: f64| {
            let [most] = team.largest_of_rows(&layout.own(), [], |row, []| {
                [if row.j == 1 { value } else { 2.0 }]
            });
            most
        };
        assert_eq!(of(-3.0), 3.0);
        assert_eq!(of(1.0), 2.0);
        assert!(of(f64::NAN).is_nan());
    }
}
