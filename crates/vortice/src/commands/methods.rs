//! `vortice methods`

use vortice_core::{Method, Result};

use crate::{registry, say};

/// Lists the methods.
pub(crate) fn execute() -> Result<()> {
    let methods = registry::methods();
    let widest = methods.iter().map(|method| method.name.len()).fold(6, usize::max) + 2;
    let line = |method: &&Method| format!("{:widest$}{}\n", method.name, method.about);
    say::result(&methods.iter().map(line).collect::<String>())
}
