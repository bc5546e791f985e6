//! The files of a run, and who reads them.
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

mod checkpoint;
mod collection;
mod common;
mod history;
mod killed;
mod probes;
mod recorded_steps;
mod recorder;
#[path = "../../core/tests/turns/mod.rs"]
mod turns;
mod vtk_readers;
