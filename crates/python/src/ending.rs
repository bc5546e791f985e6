//! The end of Python: from then on no thread of ours takes its lock.
//!
//! Python takes a thread that asks for its lock after that out of the middle of what it does, and what this thread then
//! leaves behind on its way out ends the process with an error. So such threads stay where they are.

use std::cell::Cell;
use std::sync::{Condvar, Mutex};
use std::thread::ThreadId;
use std::time::Duration;

use pyo3::prelude::*;
use vortice_core::lock;

/// How long the end waits for calls that go on. Where many threads want few cores each waits for its turn, several times.
const PATIENCE: Duration = Duration::from_secs(10);

/// Calls of Python by threads of runs.
struct Calls {
    going: usize,
    /// The thread that ends Python, once it does.
    ended_by: Option<ThreadId>,
}

static CALLS: Mutex<Calls> = Mutex::new(Calls { going: 0, ended_by: None });
static FEWER: Condvar = Condvar::new();

thread_local! {
    /// Calls of this thread, one within the other.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Calls Python from a thread of a run; does not return once Python ends.
pub(crate) fn call<T>(act: impl FnOnce(Python<'_>) -> T) -> T {
    let _going = Going::begin();
    Python::attach(act)
}

/// Does something with Python's lock free; does not return once Python ends, but to who ends it.
pub(crate) fn free<T: Send>(py: Python<'_>, act: impl FnOnce() -> T + Send) -> T {
    let (done, _going) = py.detach(|| {
        let done = act();
        // It goes on from here: the end waits until this thread has the lock again.
        (done, Going::begin())
    });
    done
}

/// From now on no thread calls Python; waits for those that do, for a while.
#[pyfunction]
pub(crate) fn end_calls(py: Python<'_>) {
    lock(&CALLS).ended_by = Some(std::thread::current().id());
    py.detach(|| {
        let waited = FEWER.wait_timeout_while(lock(&CALLS), PATIENCE, |calls| calls.going > 0);
        drop(waited);
    });
}

fn stay() -> ! {
    loop {
        std::thread::park();
    }
}

/// A call that goes on.
struct Going;

impl Going {
    fn begin() -> Self {
        if DEPTH.get() == 0 {
            let mut calls = lock(&CALLS);
            let is_mine = calls.ended_by == Some(std::thread::current().id());
            if calls.ended_by.is_some() && !is_mine {
                drop(calls);
                stay();
            }
            calls.going += 1;
        }
        DEPTH.set(DEPTH.get() + 1);
        Self
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        if DEPTH.get() == 0 {
            lock(&CALLS).going -= 1;
            FEWER.notify_all();
        }
    }
}
