//! One flow by several methods on several grids, and what their answers say together.

mod convergence;

pub use convergence::{Convergence, Order};
