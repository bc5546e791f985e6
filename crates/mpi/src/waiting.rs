//! Waiting for a message: eagerly at first, then politely, and not for long once a rank gave up.

use std::time::{Duration, Instant};

use vortice_core::Result;

use crate::notices::Notices;

/// Polls before the core is offered to others: about as long as a message between two cores takes.
/// Where there are more ranks than cores, the rank that is waited for may need this one.
const EAGER: u32 = 100;

/// A look at the notices costs as much as a poll.
const LOOK_EVERY: u32 = 16;

/// Who has waited so long does not notice a nap.
const LONG: Duration = Duration::from_millis(20);
const NAP: Duration = Duration::from_micros(50);

/// What is waited for may be on its way when a rank gives up: the first that has what all ranks said may do so over just
/// that, and the others are to come to the same end.
const LAST_CALL: Duration = Duration::from_millis(250);

/// One wait, for one or several messages.
pub(crate) struct Waiting<'a> {
    notices: &'a Notices,
    polls: u32,
    /// When the core was first offered to others.
    since: Option<Instant>,
    /// When it was first noticed that a rank gave up.
    noticed: Option<Instant>,
}

impl<'a> Waiting<'a> {
    pub(crate) fn new(notices: &'a Notices) -> Self {
        Self { notices, polls: 0, since: None, noticed: None }
    }

    /// Passes the time between two polls.
    ///
    /// # Errors
    /// If a rank gave up, and what is waited for has not come since.
    pub(crate) fn pause(&mut self) -> Result<()> {
        self.polls = self.polls.wrapping_add(1);
        if self.polls.is_multiple_of(LOOK_EVERY)
            && let Err(error) = self.notices.look()
            && self.noticed.get_or_insert_with(Instant::now).elapsed() > LAST_CALL
        {
            return Err(error);
        }
        if self.polls < EAGER {
            std::hint::spin_loop();
        } else if self.since.get_or_insert_with(Instant::now).elapsed() < LONG {
            std::thread::yield_now();
        } else {
            std::thread::sleep(NAP);
        }
        Ok(())
    }
}
