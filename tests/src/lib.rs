//! Every case, every method, every device against references: see `tests/`. Here only the program in
//! the README is compiled, as a documentation test.

/// The README, for its program.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
