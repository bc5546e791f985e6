//! Ctrl-C, SIGTERM, SIGUSR1 and what batch systems send before they end a job: the first stops the run after its step, a
//! later one the program at once. `mpiexec` gives processes little time after Ctrl-C and SIGTERM, but passes SIGUSR1 on. A
//! terminal that is closed (SIGHUP) does the same, unless the program was started by `nohup`. A file that may not grow any
//! more (SIGXFSZ) is an error of writing, as others are.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
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
    let all = [SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGHUP];
    let heeded = all.into_iter().filter(|&signal| signal != SIGHUP || !is_ignored(signal));
    let mut signals = Signals::new(heeded).map_err(refused)?;
    let listener = std::thread::Builder::new().spawn(move || {
        let mut first: Option<Instant> = None;
        for signal in signals.forever().filter(|&signal| signal != SIGXFSZ) {
            RECEIVED.store(signal as usize, Ordering::SeqCst);
            if first.get_or_insert_with(Instant::now).elapsed() > SAME {
                // It ends the program; if it cannot, the run still ends after its step.
                let _ = emulate_default_handler(signal);
            }
        }
    });
    listener.map(|_| ()).map_err(refused)
}

/// Whether who started the program has it ignore a signal, as `nohup` does.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// Not zero once a signal has come.
pub(crate) fn flag() -> &'static AtomicUsize {
    &RECEIVED
}

/// The signal that has come.
pub(crate) fn received() -> Option<usize> {
    Some(RECEIVED.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
}

/// The exit code that shells use: 128 and the number of the signal, 130 for SIGINT.
pub(crate) fn exit_code(signal: usize) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}
