//! How long a rank is busy with messages.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::communicator::{Communicator, Message};
use crate::error::Result;

/// A rank and the others, with the time that this one takes to send, and to wait for what it receives.
pub(crate) struct TimedRanks {
    ranks: Arc<dyn Communicator>,
    nanoseconds: AtomicU64,
}

impl TimedRanks {
    pub(crate) fn new(ranks: Arc<dyn Communicator>) -> Self {
        Self { ranks, nanoseconds: AtomicU64::new(0) }
    }

    /// The time up to now. Calls of several threads count each.
    pub(crate) fn spent(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }

    fn timed<T>(&self, speak: impl FnOnce(&dyn Communicator) -> T) -> T {
        let begin = Instant::now();
        let said = speak(&*self.ranks);
        let nanoseconds = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
        said
    }
}

impl Communicator for TimedRanks {
    fn rank(&self) -> usize {
        self.ranks.rank()
    }

    fn size(&self) -> usize {
        self.ranks.size()
    }

    fn local_rank(&self) -> usize {
        self.ranks.local_rank()
    }

    fn local_size(&self) -> usize {
        self.ranks.local_size()
    }

    fn local_cores(&self) -> usize {
        self.ranks.local_cores()
    }

    fn give_up(&self) {
        self.ranks.give_up();
    }

    fn exchange(&self, messages: &mut [Message<'_>]) -> Result<()> {
        self.timed(|ranks| ranks.exchange(messages))
    }

    fn all_gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        self.timed(|ranks| ranks.all_gather(bytes))
    }

    fn max(&self, values: &mut [f64]) -> Result<()> {
        self.timed(|ranks| ranks.max(values))
    }

    fn sum(&self, value: f64) -> Result<f64> {
        self.timed(|ranks| ranks.sum(value))
    }

    fn sums_exact(&self, values: &mut [i128]) -> Result<()> {
        self.timed(|ranks| ranks.sums_exact(values))
    }

    fn broadcast(&self, bytes: Vec<u8>) -> Result<Vec<u8>> {
        self.timed(|ranks| ranks.broadcast(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::Threads;

    #[test]
    fn a_rank_that_comes_first_waits_for_the_other() {
        let late = Duration::from_millis(60);
        let waited = Threads::run(2, |rank| {
            let ranks = TimedRanks::new(Arc::new(rank));
            if ranks.rank() == 1 {
                std::thread::sleep(late);
            }
            let before = ranks.spent();
            assert_eq!(ranks.sum(1.5)?, 3.0);
            Ok((before, ranks.spent()))
        });
        let waited = waited.expect("no error");
        assert!(waited.iter().all(|(before, _)| before.is_zero()));
        assert!(waited[0].1 > late / 2 && waited[1].1 < waited[0].1, "{waited:?}");
    }
}
