//! Pages that the program and `docs/build` make, looked at in a real browser. Keep what is seen with
//! VORTICE_BROWSER_SHOTS=FOLDER.
#![allow(clippy::print_stdout)] // what was seen is part of the answer

mod comparison;
#[path = "../../../crates/plot/tests/looking/mod.rs"]
mod looking;
mod site;
