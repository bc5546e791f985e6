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
            return first(|| {
                // Help and version come this way too; a closed pipe is no failure.
                let _ = answer.print();
                u8::try_from(answer.exit_code()).unwrap_or(2)
            });
        }
    };
    match commands::execute(&arguments.command) {
        Ok(code) => ExitCode::from(code),
        Err(error) => first(|| {
            failure::report(&error);
            error.exit_code()
        }),
    }
}

/// What is the same on several processes is told by the first. The others must not fail before it
/// has spoken: their launcher would end it.
fn first(tell: impl FnOnce() -> u8) -> ExitCode {
    ExitCode::from(if Launch::speaks() { tell() } else { 0 })
}
