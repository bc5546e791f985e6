//! Yardsticks for the benchmarks: memory bandwidth, and the same sweep as a plain C loop.
#![allow(unsafe_code)] // the C loop is called through its plain interface

mod bandwidth;
mod c_loop;
mod flows;
mod triad;

pub use bandwidth::Bandwidth;
pub use c_loop::CLoop;
pub use flows::{cavity, cavity_by, step};
pub use triad::triad;
