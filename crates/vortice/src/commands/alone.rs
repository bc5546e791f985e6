//! Commands that are not for several processes.

use vortice_core::{Error, Result};
use vortice_mpi::Launch;

/// Refuses to be one of several processes: they would write into one another's files.
///
/// # Errors
/// If a launcher has started several.
pub(super) fn alone(command: &str) -> Result<()> {
    match Launch::found() {
        Some(launch) => Err(Error::Command {
            argument: command.to_owned(),
            problem: format!("was started as {} processes, and computes in one", launch.size),
            remedy: "start it without `mpiexec`; it uses all cores, or a GPU with `--device cuda`"
                .into(),
        }),
        None => Ok(()),
    }
}
