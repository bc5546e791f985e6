//! Systems of equations, their solvers and multigrid.
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

mod convergence;
#[path = "problem/direct.rs"]
mod direct;
mod momentum;
mod problem;
mod ranks;
mod solvers;
