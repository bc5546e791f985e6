//! Waiting with Python's lock free and its signals looked at.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use pyo3::prelude::*;
use vortice_core::{Error, Result};

use crate::ending;
use crate::errors::raised;

/// Between two looks at Python's signals.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// Does something on this thread with Python's lock free.
pub(crate) fn free<T: Send>(py: Python<'_>, act: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    ending::free(py, act).map_err(|error| raised(py, &error))
}

/// Does something long on a thread of its own; `stop` is called if a signal is to end it, which is then waited for.
pub(crate) fn beside<T: Send + 'static>(
    py: Python<'_>,
    act: impl FnOnce() -> Result<T> + Send + 'static,
    stop: impl Fn(),
) -> PyResult<T> {
    let (done, mut is_done) = std::sync::mpsc::channel();
    let made = std::thread::Builder::new().name("vortice".into()).spawn(move || {
        let _ = done.send(act());
    });
    made.map_err(|error| {
        let problem = format!("no thread can be made: {error}");
        raised(py, &Error::Device { problem, remedy: "end other programs".into() })
    })?;
    let mut signal = None;
    loop {
        let (back, said) = ending::free(py, move || wait_for(is_done));
        is_done = back;
        if signal.is_none() {
            signal = py.check_signals().err();
            signal.iter().for_each(|_| stop());
        }
        match (said, signal.take()) {
            (Err(RecvTimeoutError::Timeout), waiting) => signal = waiting,
            (_, Some(signal)) => return Err(signal),
            (Ok(said), None) => return said.map_err(|error| raised(py, &error)),
            (Err(RecvTimeoutError::Disconnected), None) => {
                let problem = "a thread has ended before its time".into();
                let remedy = "tell the authors what it was asked to do".into();
                return Err(raised(py, &Error::Device { problem, remedy }));
            }
        }
    }
}

type Said<T> = std::result::Result<Result<T>, RecvTimeoutError>;

fn wait_for<T>(from: Receiver<Result<T>>) -> (Receiver<Result<T>>, Said<T>) {
    let said = from.recv_timeout(LOOK);
    (from, said)
}
