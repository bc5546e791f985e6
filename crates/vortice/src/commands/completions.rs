//! `vortice completions`

use std::path::Path;

use clap::CommandFactory;
use clap_complete::{Shell, generate};
use vortice_core::Result;

use crate::arguments::{Arguments, cases};
use crate::say;

/// Prints the completion script of a shell.
pub(crate) fn execute(shell: Shell) -> Result<()> {
    let mut script = Vec::new();
    // A program that brings methods of its own has another name.
    let path = std::env::args_os().next().unwrap_or_default();
    let name = Path::new(&path).file_stem().and_then(|stem| stem.to_str()).unwrap_or("vortice");
    generate(shell, &mut Arguments::command(), name, &mut script);
    let script = String::from_utf8_lossy(&script);
    // Of a list of words zsh offers nothing else, and a case may be a file too.
    let names = format!("({})", cases().join(" "));
    say::result(&if shell == Shell::Zsh { script.replace(&names, "_files") } else { script.into() })
}
