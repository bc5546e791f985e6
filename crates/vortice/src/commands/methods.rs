//! `vortice methods`

use vortice::registry::METHODS;
use vortice_core::Result;

use crate::say;

/// Lists the methods.
pub(crate) fn execute() -> Result<()> {
    let line = |method: &&vortice_core::Method| format!("{:8}{}\n", method.name, method.about);
    say::result(&METHODS.iter().map(line).collect::<String>())
}
