//! Pictures and pages, and a browser that looks at them.
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

mod browser;
mod chart;
#[path = "../../output/tests/common/mod.rs"]
mod common;
mod looking;
mod page;
mod picture;
mod sample;
