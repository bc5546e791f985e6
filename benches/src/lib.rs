//! Yardsticks for the benchmarks: memory bandwidth, and the same sweep as a plain C loop.
#![allow(unsafe_code)] // the C loop is called through its plain interface

mod c_loop;
mod triad;

pub use c_loop::CLoop;
pub use triad::triad;
