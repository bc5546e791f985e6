//! `vortice completions`

use clap::CommandFactory;
use clap_complete::{Shell, generate};
use vortice_core::Result;

use crate::arguments::Arguments;
use crate::say;

/// Prints the completion script of a shell.
pub(crate) fn execute(shell: Shell) -> Result<()> {
    let mut script = Vec::new();
    generate(shell, &mut Arguments::command(), "vortice", &mut script);
    say::result(&String::from_utf8_lossy(&script))
}
