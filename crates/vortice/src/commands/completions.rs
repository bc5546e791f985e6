//! `vortice completions`

use clap::CommandFactory;
use clap_complete::{Shell, generate};
use vortice_core::Result;

use crate::arguments::{Arguments, cases};
use crate::say;

/// Prints the completion script of a shell.
pub(crate) fn execute(shell: Shell) -> Result<()> {
    let mut script = Vec::new();
    generate(shell, &mut Arguments::command(), "vortice", &mut script);
    let script = String::from_utf8_lossy(&script);
    // Of a list of words zsh offers nothing else, and a case may be a file too.
    let names = format!("({})", cases().join(" "));
    say::result(&if shell == Shell::Zsh { script.replace(&names, "_files") } else { script.into() })
}
