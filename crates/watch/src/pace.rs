//! How often a run is held up to be looked at.

use std::time::{Duration, Instant};

/// Looks that come no nearer to each other than a while, and take no more than a share of the time.
pub(crate) struct Pace {
    least: Duration,
    share: f64,
    /// When the last look began, and what it took.
    began: Instant,
    cost: Duration,
}

impl Pace {
    pub(crate) fn new(least: Duration, share: f64) -> Self {
        let now = Instant::now();
        Self { least, share, began: now.checked_sub(least).unwrap_or(now), cost: Duration::ZERO }
    }

    /// How long it is until the next look.
    pub(crate) fn left(&self) -> Duration {
        self.next().saturating_duration_since(Instant::now())
    }

    /// A look that held the run up for a while is over; it began at some time.
    pub(crate) fn looked(&mut self, began: Instant, cost: Duration) {
        (self.began, self.cost) = (began, cost);
    }

    /// It took a while more.
    pub(crate) fn add(&mut self, cost: Duration) {
        self.cost += cost;
    }

    fn next(&self) -> Instant {
        self.began + self.least.max(self.cost.div_f64(self.share))
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
        assert_eq!(pace.next(), now + ms(100));
        pace.looked(now, ms(10));
        assert_eq!(pace.next(), now + ms(500));
        pace.add(ms(2));
        assert_eq!(pace.next(), now + ms(600));
    }
}
