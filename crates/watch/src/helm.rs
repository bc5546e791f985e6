//! Who steers a run: a page by its buttons, and the program that waits for its end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use vortice_core::{Case, Outcome, Result, lock};
use vortice_study::{Change, Goal, Session, Status, Way};

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
    /// Whether a program leads it from step to step, which a page can hold but not send elsewhere.
    is_led: bool,
}

/// Where a run is going.
#[derive(Default)]
struct Bearing {
    way: Option<Way>,
    /// Whether a page has given an order: one may come before the run begins.
    is_ordered: bool,
}

impl Helm {
    pub(crate) fn new(session: Arc<Session>, is_led: bool) -> Self {
        let is_to_stop = AtomicBool::new(false);
        Self { session, bearing: Mutex::default(), is_to_stop, is_led }
    }

    /// Whether the run goes on by itself.
    pub(crate) fn is_going(&self, moment: &Status) -> bool {
        if self.is_led { !moment.is_held && !moment.has_ended } else { moment.is_going }
    }

    /// Lets the run go; what stops it meanwhile is told by [`Self::drive`].
    pub(crate) fn go(&self, goal: Goal) -> Result<()> {
        if self.is_led {
            return self.session.hold(match goal {
                Goal::Steps(steps) => Some(steps),
                _ => None,
            });
        }
        let mut bearing = lock(&self.bearing);
        *bearing = Bearing { way: Some(self.session.go(goal)?), is_ordered: true };
        Ok(())
    }

    pub(crate) fn pause(&self) -> Result<()> {
        if self.is_led {
            return self.session.hold(Some(0));
        }
        lock(&self.bearing).is_ordered = true;
        self.session.pause()
    }

    /// Sets out to the end, unless a page has ordered otherwise.
    pub(crate) fn begin(&self) -> Result<()> {
        let mut bearing = lock(&self.bearing);
        if !bearing.is_ordered {
            bearing.way = Some(self.session.go(Goal::End)?);
        }
        Ok(())
    }

    pub(crate) fn stop(&self) -> Result<()> {
        self.is_to_stop.store(true, Ordering::SeqCst);
        if self.is_led {
            self.session.hold(None).and_then(|()| self.session.pause())
        } else {
            Ok(())
        }
    }

    /// Whether a page has stopped it.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_to_stop.load(Ordering::SeqCst)
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
            let is_over = self.turn(&last_asked)?;
            let is_stopped = self.is_stopped() || is_interrupted();
            if is_over || is_stopped {
                let has_ended = self.session.status().has_ended;
                let case = self.session.case()?;
                let mut outcome = self.session.finish()?;
                if is_stopped && !has_ended && !outcome.converged {
                    outcome.reason = STOPPED.into();
                }
                return Ok(Watched { outcome, changes: self.session.status().changes, case });
            }
        }
    }

    /// Waits for a moment; tells whether the run has come to its end, and no page looks at it any more.
    ///
    /// # Errors
    /// As the steps.
    pub(crate) fn turn(&self, last_asked: impl Fn() -> Option<Instant>) -> Result<bool> {
        self.arrived()?;
        let moment = self.session.status();
        let is_watched = last_asked().is_some_and(|at| at.elapsed() < LINGER);
        Ok(moment.has_ended && !moment.is_going && !is_watched)
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
