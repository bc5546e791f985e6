//! Every case, every method, every device against references: see `tests/`. Here is what these tests
//! share; the program in the README is compiled as a documentation test.
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

mod flows;

pub use flows::{Judge, open, richardson, run, run_on_ranks};
pub use vortice::Ran;

/// The README, for its program.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// The page on the library, for its programs.
#[cfg(doctest)]
#[doc = include_str!("../../docs/src/library.md")]
pub struct Library;

/// The page on comparisons, for its program.
#[cfg(doctest)]
#[doc = include_str!("../../docs/src/comparison.md")]
pub struct Comparison;
