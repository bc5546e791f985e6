//! Flows by finite volumes on the processor.
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

mod bodies;
#[path = "../../core/tests/carried/mod.rs"]
mod carried;
mod flows;
mod formulas;
mod heat;
mod multigrid;
mod order;
mod outflow;
mod properties;
mod ranks;
#[path = "../../core/tests/triangles/flow.rs"]
mod same_drag;
#[path = "../../core/tests/formulas/mod.rs"]
mod same_formulas;
mod scalars;
#[path = "../../core/tests/settled/mod.rs"]
mod settled;
#[path = "../../core/tests/turns/mod.rs"]
mod turns;
#[path = "../../core/tests/vortices/mod.rs"]
mod vortices;
