//! Ctrl-C, SIGTERM and SIGUSR1: the first stops the run after its step, a later one the program at
//! once. `mpiexec` gives processes little time after Ctrl-C and SIGTERM, but passes SIGUSR1 on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use vortice_core::{Error, Result};

static RECEIVED: AtomicUsize = AtomicUsize::new(0);

/// Programs that start others (`timeout`, batch systems) send a signal to the process and to its
/// group; signals so near to each other are one.
const SAME: Duration = Duration::from_millis(500);

/// Begins to listen, in a thread of its own.
pub(crate) fn listen() -> Result<()> {
    let refused = |error| Error::file("signals", error, "allow the program to catch signals");
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGUSR1]).map_err(refused)?;
    let listener = std::thread::Builder::new().spawn(move || {
        let mut first: Option<Instant> = None;
        for signal in signals.forever() {
            RECEIVED.store(signal as usize, Ordering::SeqCst);
            if first.get_or_insert_with(Instant::now).elapsed() > SAME {
                // It ends the program; if it cannot, the run still ends after its step.
                let _ = emulate_default_handler(signal);
            }
        }
    });
    listener.map(|_| ()).map_err(refused)
}

/// Not zero once a signal has come.
pub(crate) fn flag() -> &'static AtomicUsize {
    &RECEIVED
}

/// The signal that has come.
pub(crate) fn received() -> Option<usize> {
    Some(RECEIVED.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
}

/// The exit code that shells use: 130 for SIGINT, 143 for SIGTERM, 138 for SIGUSR1.
pub(crate) fn exit_code(signal: usize) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}
