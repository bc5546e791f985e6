//! What the reader of cases, simulations and fields promise.
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

mod case_errors;
mod case_files;
mod heat;
mod meshes;
mod scalars;
mod simulation;
mod statistics;
mod steady;
#[path = "triangles/mod.rs"]
mod triangles;
mod velocity_tables;
mod windows;
