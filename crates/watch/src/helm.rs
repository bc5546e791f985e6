//! Who steers a run: a page by its buttons, and the program that waits for its end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use vortice_core::{Case, Outcome, Result, lock};
use vortice_study::{Change, Goal, Session, Way};

/// How often it is looked whether a run is to stop.
const OFTEN: Duration = Duration::from_millis(50);

/// How long a run that has come to its end waits for a page that was there.
const LINGER: Duration = Duration::from_secs(10);

/// Why a run ended that a page stopped.
pub const STOPPED: &str = "stopped by who watched it";

/// A run that was watched to its end.
pub struct Watched {
    /// How it ended.
    pub outcome: Outcome,
    /// What was changed while it went on.
    pub changes: Vec<Change>,
    /// The case as it was at last.
    pub case: Case,
}

/// The way of a session to where it is going.
pub(crate) struct Helm {
    session: Arc<Session>,
    bearing: Mutex<Bearing>,
    is_to_stop: AtomicBool,
}

/// Where a run is going.
#[derive(Default)]
struct Bearing {
    way: Option<Way>,
    /// Whether a page has given an order: one may come before the run begins.
    is_ordered: bool,
}

impl Helm {
    pub(crate) fn new(session: Arc<Session>) -> Self {
        Self { session, bearing: Mutex::default(), is_to_stop: AtomicBool::new(false) }
    }

    /// Lets the run go; what stops it meanwhile is told by [`Self::drive`].
    pub(crate) fn go(&self, goal: Goal) -> Result<()> {
        let mut bearing = lock(&self.bearing);
        *bearing = Bearing { way: Some(self.session.go(goal)?), is_ordered: true };
        Ok(())
    }

    pub(crate) fn pause(&self) -> Result<()> {
        lock(&self.bearing).is_ordered = true;
        self.session.pause()
    }

    /// Sets out to the end, unless a page has ordered otherwise.
    fn begin(&self) -> Result<()> {
        let mut bearing = lock(&self.bearing);
        if !bearing.is_ordered {
            bearing.way = Some(self.session.go(Goal::End)?);
        }
        Ok(())
    }

    pub(crate) fn stop(&self) {
        self.is_to_stop.store(true, Ordering::SeqCst);
    }

    /// Lets the run go to its end, or until it is stopped, and ends it. One that comes to its end while a page looks
    /// stays there, so that it can be changed and go on, until it is stopped or the page is left.
    ///
    /// # Errors
    /// As the steps and [`Session::finish`].
    pub(crate) fn drive(
        &self,
        is_interrupted: impl Fn() -> bool,
        last_asked: impl Fn() -> Option<Instant>,
    ) -> Result<Watched> {
        self.begin()?;
        loop {
            self.arrived()?;
            let moment = self.session.status();
            let is_watched = last_asked().is_some_and(|at| at.elapsed() < LINGER);
            let is_over = moment.has_ended && !moment.is_going && !is_watched;
            let is_stopped = self.is_to_stop.load(Ordering::SeqCst) || is_interrupted();
            if is_over || is_stopped {
                let case = self.session.case()?;
                let mut outcome = self.session.finish()?;
                if is_stopped && !moment.has_ended && !outcome.converged {
                    outcome.reason = STOPPED.into();
                }
                return Ok(Watched { outcome, changes: self.session.status().changes, case });
            }
        }
    }

    /// Waits for a moment; the error of a step, if there was one.
    fn arrived(&self) -> Result<()> {
        // A page may let it go another way meanwhile, so the lock is not kept for long.
        let mut bearing = lock(&self.bearing);
        let arrived = bearing.way.as_ref().and_then(|way| way.wait_for(Duration::ZERO));
        match arrived {
            Some(Err(error)) => Err(error),
            Some(Ok(())) => {
                bearing.way = None;
                Ok(())
            }
            None => {
                drop(bearing);
                std::thread::sleep(OFTEN);
                Ok(())
            }
        }
    }
}
