//! Results to standard output, remarks to standard error.

use std::io::{ErrorKind, Write};

use vortice_core::{Error, Result};

/// Prints a result. A reader that has gone away (`vortice cases | head -1`) is no failure.
pub(crate) fn result(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Error::file("standard output", error, "send the output elsewhere"))
        }
        _ => Ok(()),
    }
}

/// Prints a remark. Where it cannot be read it is not missed.
pub(crate) fn remark(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
