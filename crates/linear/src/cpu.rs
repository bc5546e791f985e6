//! Vectors, operators and levels in the memory of processors, row by row on all threads of a rank.

mod domain;
mod general;
mod host;
mod multigrid;
mod pressure;
mod relax;
mod symmetric;

pub mod rows;

pub use domain::Domain;
pub use general::{Coefficients, General};
pub use host::{Host, Operator};
pub use multigrid::{Finest, Multigrid};
pub use pressure::PressureEquation;
pub use relax::{Block, relax_rows};
pub use symmetric::Symmetric;
