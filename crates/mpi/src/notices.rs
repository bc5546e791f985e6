//! How ranks learn that one of them will not go on.

use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::time::Instant;

use mpi::request::StaticScope;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, Destination, Source};
use vortice_core::{Error, Result};

/// What a notice says: nothing but who sent it.
static NOTICE: [u8; 1] = [1];

/// Notices on a communicator of their own, and what became of this group of ranks.
pub(crate) struct Notices {
    /// Never freed, as in [`crate::wire::Wire`].
    wire: ManuallyDrop<SimpleCommunicator>,
    /// The rank that failed, once one has.
    failed: Cell<Option<usize>>,
    /// A wait ends here even if no rank fails.
    deadline: Option<Instant>,
}

impl Notices {
    pub(crate) fn on(wire: SimpleCommunicator) -> Self {
        Self { wire: ManuallyDrop::new(wire), failed: Cell::new(None), deadline: None }
    }

    /// No notices are expected, but waits end.
    pub(crate) fn until(deadline: Option<Instant>) -> Self {
        Self { deadline, ..Self::on(SimpleCommunicator::self_comm()) }
    }

    /// # Errors
    /// If a rank has given up, as far as is known here.
    pub(crate) fn intact(&self) -> Result<()> {
        self.failed.get().map_or(Ok(()), |rank| Err(Error::OtherRank { rank }))
    }

    /// Looks whether a notice has come.
    ///
    /// # Errors
    /// If a rank has given up, or it is too late.
    pub(crate) fn look(&self) -> Result<()> {
        if let Some(status) = self.wire.any_process().immediate_probe() {
            self.failed.set(Some(status.source_rank() as usize));
        }
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            self.failed.set(Some(self.wire.rank() as usize));
        }
        self.intact()
    }

    /// Tells all other ranks that this one gives up, unless they were told of another.
    pub(crate) fn give_up(&self) {
        if self.failed.get().is_some() {
            return;
        }
        let mine = self.wire.rank();
        self.failed.set(Some(mine as usize));
        for rank in (0..self.wire.size()).filter(|rank| *rank != mine) {
            let sent = self.wire.process_at_rank(rank).immediate_send(StaticScope, &NOTICE[..]);
            // No rank waits for it to arrive, and what it sends lives as long as the program.
            std::mem::forget(sent);
        }
    }
}
