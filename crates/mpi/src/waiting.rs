//! Waiting for a message: eagerly at first, then politely, and never for a rank that gave up.

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

/// One wait, for one or several messages.
pub(crate) struct Waiting<'a> {
    notices: &'a Notices,
    polls: u32,
    /// When the core was first offered to others.
    since: Option<Instant>,
}

impl<'a> Waiting<'a> {
    pub(crate) fn new(notices: &'a Notices) -> Self {
        Self { notices, polls: 0, since: None }
    }

    /// Passes the time between two polls.
    ///
    /// # Errors
    /// If a rank gave up.
    pub(crate) fn pause(&mut self) -> Result<()> {
        self.polls = self.polls.wrapping_add(1);
        if self.polls.is_multiple_of(LOOK_EVERY) {
            self.notices.look()?;
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
