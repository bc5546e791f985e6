//! How often a run is held up to be looked at.

use std::time::{Duration, Instant};

/// Looks that come no nearer to each other than a while, and take no more than a share of the time.
pub(crate) struct Pace {
    least: Duration,
    share: f64,
    next: Instant,
}

impl Pace {
    pub(crate) fn new(least: Duration, share: f64) -> Self {
        Self { least, share, next: Instant::now() }
    }

    /// How long it is until the next look.
    pub(crate) fn left(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }

    /// A look that held the run up for a while is over; it began at some time.
    pub(crate) fn looked(&mut self, began: Instant, cost: Duration) {
        self.next = began + self.least.max(cost.div_f64(self.share));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dear_looks_are_rare() {
        let (now, ms) = (Instant::now(), Duration::from_millis);
        let mut pace = Pace::new(ms(100), 0.02);
        assert!(pace.left().is_zero());
        pace.looked(now, ms(1));
        assert_eq!(pace.next, now + ms(100));
        pace.looked(now, ms(10));
        assert_eq!(pace.next, now + ms(500));
    }
}
