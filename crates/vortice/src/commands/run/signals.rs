//! Ctrl-C and SIGTERM: the first stops the run after its step, the second the program at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_default, register_usize};
use vortice_core::{Error, Result};

static RECEIVED: AtomicUsize = AtomicUsize::new(0);
static SECOND: AtomicBool = AtomicBool::new(false);

/// Begins to listen.
pub(super) fn listen() -> Result<()> {
    for signal in [SIGINT, SIGTERM] {
        // The order counts: the default action is taken if the flag was set by an earlier signal.
        register_conditional_default(signal, &SECOND)
            .and_then(|_| register(signal, &SECOND))
            .and_then(|_| register_usize(signal, &RECEIVED, signal as usize))
            .map_err(|error| Error::file("signals", error, "run without signal restrictions"))?;
    }
    Ok(())
}

/// Not zero once a signal has come.
pub(super) fn flag() -> &'static AtomicUsize {
    &RECEIVED
}

/// The signal that has come.
pub(super) fn received() -> Option<usize> {
    Some(RECEIVED.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
}

/// The exit code that shells use: 130 for SIGINT, 143 for SIGTERM.
pub(super) fn exit_code(signal: usize) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}
