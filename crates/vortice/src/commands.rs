//! One file a command.

mod address;
mod alone;
mod bench;
mod cases;
mod check;
mod compare;
mod completions;
mod course;
mod devices;
mod launcher;
mod matrix;
mod methods;
mod new;
mod run;
mod signals;
mod validate;
mod view;

use vortice_core::Result;

use crate::arguments::Command;

/// Does what the command says; returns the exit code.
pub(crate) fn execute(command: &Command) -> Result<u8> {
    match command {
        Command::Run(options) => return run::execute(options),
        Command::Compare(options) => return compare::execute(options),
        Command::Validate(options) => return validate::execute(options),
        Command::Course(command) => return course::execute(command),
        Command::View(options) => return view::execute(options),
        Command::New(options) => new::execute(options)?,
        Command::Check(options) => check::execute(options)?,
        Command::Bench(options) => bench::execute(options)?,
        Command::Matrix(options) => matrix::execute(options)?,
        Command::Methods => methods::execute()?,
        Command::Cases => cases::execute()?,
        Command::Devices(options) => devices::execute(options)?,
        Command::Completions { shell } => completions::execute(*shell)?,
    }
    Ok(0)
}
