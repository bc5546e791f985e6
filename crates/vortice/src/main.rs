//! The program `vortice`.

mod arguments;
mod commands;
mod failure;
mod say;

use std::process::ExitCode;

use clap::Parser;

use arguments::Arguments;
use vortice_mpi::Launch;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(answer) => {
            // Help and version come this way too; a closed pipe is no failure.
            if Launch::speaks() {
                let _ = answer.print();
            }
            return ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2));
        }
    };
    match commands::execute(&arguments.command) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            if Launch::speaks() {
                failure::report(&error);
            }
            ExitCode::from(error.exit_code())
        }
    }
}
