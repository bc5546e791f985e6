//! The program `vortice`.

use std::process::ExitCode;

fn main() -> ExitCode {
    vortice::program(&[])
}
