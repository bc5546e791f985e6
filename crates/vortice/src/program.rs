//! The program: arguments, commands, and how errors leave it.

use std::process::ExitCode;

use clap::Parser;
use vortice_core::{Method, Result};
use vortice_mpi::Launch;

use crate::arguments::Arguments;
use crate::{commands, failure, registry};

/// Does what the command line says, by the methods of this house and by those that are given. Returns
/// what `main` returns.
///
/// ```no_run
/// # mod chorin { pub use vortice_fdm::METHOD; }
/// fn main() -> std::process::ExitCode {
///     vortice::program(&[&chorin::METHOD])
/// }
/// ```
pub fn program(own: &[&'static Method]) -> ExitCode {
    // Completions and the answers to wrong words speak of methods too.
    if let Err(error) = registry::add(own) {
        return first(|| failed(&error));
    }
    match Arguments::try_parse() {
        Ok(arguments) => end(commands::execute(&arguments.command)),
        Err(answer) => first(|| {
            // Help and version come this way too; a closed pipe is no failure.
            let _ = answer.print();
            u8::try_from(answer.exit_code()).unwrap_or(2)
        }),
    }
}

fn end(result: Result<u8>) -> ExitCode {
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => first(|| failed(&error)),
    }
}

fn failed(error: &vortice_core::Error) -> u8 {
    failure::report(error);
    error.exit_code()
}

/// What is the same on several processes is told by the first. The others must not fail before it
/// has spoken: their launcher would end it.
fn first(tell: impl FnOnce() -> u8) -> ExitCode {
    ExitCode::from(if Launch::speaks() { tell() } else { 0 })
}
