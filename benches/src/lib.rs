//! Yardsticks for the benchmarks: memory bandwidth, and the same sweep as a plain C loop.
#![allow(unsafe_code)] // the C loop is called through its plain interface

mod c_loop;
mod triad;

use std::time::Instant;

pub use c_loop::CLoop;
pub use triad::triad;

/// Best and median time in s of `repeats` runs of `work`.
pub fn time(repeats: usize, mut work: impl FnMut()) -> Timing {
    let mut seconds: Vec<f64> = (0..repeats)
        .map(|_| {
            let begin = Instant::now();
            work();
            begin.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    Timing { best: seconds[0], median: seconds[repeats / 2] }
}

/// Times of several runs in s.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// The shortest.
    pub best: f64,
    /// The middle one.
    pub median: f64,
}
