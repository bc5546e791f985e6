//! Stops a run when a signal asks for it, on all ranks at the same step.

use std::sync::atomic::{AtomicUsize, Ordering};

use vortice_core::{Communicator, Monitor, Result, Snapshot, Verdict};

/// Stops a run after the step during which a flag is raised.
///
/// On several ranks they agree on the flag at every step that this monitor looks at, so register it
/// for the same steps on all of them.
#[derive(Clone, Copy, Debug)]
pub struct Interrupt {
    flag: &'static AtomicUsize,
}

impl Interrupt {
    /// Stops when `flag` is no longer zero; a signal handler may store the signal's number in it.
    pub fn by(flag: &'static AtomicUsize) -> Self {
        Self { flag }
    }
}

impl Monitor for Interrupt {
    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        self.while_preparing(now.ranks)
    }

    fn while_preparing(&mut self, ranks: &dyn Communicator) -> Result<Verdict> {
        let mut raised = [self.flag.load(Ordering::SeqCst) as f64];
        ranks.max(&mut raised)?;
        // Now all ranks know, also those that received no signal.
        self.flag.fetch_max(raised[0] as usize, Ordering::SeqCst);
        Ok(if raised[0] == 0.0 { Verdict::Continue } else { Verdict::Stop("interrupted".into()) })
    }
}
