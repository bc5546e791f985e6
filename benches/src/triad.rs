//! Memory bandwidth.

use std::time::Instant;

use rayon::prelude::*;

/// Values of each array: far more than the caches hold.
const VALUES: usize = 16 << 20;

/// Repetitions; the fastest counts.
const ROUNDS: usize = 7;

/// Best bandwidth in bytes per second of `a = b + s c` on `threads` threads, counting two reads and
/// one write: McCalpin's STREAM triad.
pub fn triad(threads: usize) -> f64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let (b, c) = (vec![1.0_f64; VALUES], vec![2.0_f64; VALUES]);
    let mut a = vec![0.0_f64; VALUES];
    let share = VALUES.div_ceil(threads);
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        pool.install(|| {
            a.par_chunks_mut(share).zip(b.par_chunks(share)).zip(c.par_chunks(share)).for_each(
                |((a, b), c)| {
                    for i in 0..a.len() {
                        a[i] = b[i] + 3.0 * c[i];
                    }
                },
            );
        });
        best = best.min(begin.elapsed().as_secs_f64());
    }
    std::hint::black_box(&a);
    (3 * VALUES * size_of::<f64>()) as f64 / best
}
