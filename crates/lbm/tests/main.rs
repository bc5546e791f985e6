//! Flows by lattice Boltzmann on the processor.
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

mod agree;
#[path = "../../core/tests/carried/mod.rs"]
mod carried;
mod common;
mod convection;
mod cycles;
mod formulas;
mod heat;
mod moments;
mod order;
mod properties;
#[path = "../../core/tests/triangles/flow.rs"]
mod same_drag;
#[path = "../../core/tests/formulas/mod.rs"]
mod same_formulas;
mod scalars;
#[path = "../../core/tests/turns/mod.rs"]
mod turns;
