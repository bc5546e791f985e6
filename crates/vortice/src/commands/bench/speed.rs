//! How fast a solver was, from its timed stretches.

use serde::Serialize;
use vortice_core::Cost;

use super::sample::Sample;

/// Median, smallest and largest of some numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Spread {
    pub(super) median: f64,
    pub(super) min: f64,
    pub(super) max: f64,
    /// From the smallest to the largest, in per cent of the median.
    pub(super) spread_percent: f64,
}

/// How fast it was.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Speed {
    pub(super) repeats: usize,
    /// Steps of each repeat.
    pub(super) steps: u64,
    /// Million cells times steps per second.
    pub(super) mlups: Spread,
    pub(super) iterations_per_step: f64,
    /// Nothing if the method has no inner iterations.
    pub(super) iterations_per_second: Option<Spread>,
    pub(super) memory_bytes_per_cell: f64,
    pub(super) bytes_per_cell_and_step: f64,
    /// The median.
    pub(super) bytes_per_second: f64,
}

impl Spread {
    /// Of at least one number.
    fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = numbers.collect();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len() - 1;
        let median = f64::midpoint(sorted[last / 2], sorted[last.div_ceil(2)]);
        let (min, max) = (sorted[0], sorted[last]);
        Self { median, min, max, spread_percent: 100.0 * (max - min) / median }
    }

    /// The part of each of several ranks.
    pub(super) fn over(&self, ranks: usize) -> Self {
        let [median, min, max] = [self.median, self.min, self.max].map(|x| x / ranks as f64);
        Self { median, min, max, ..*self }
    }

    /// A row of the table.
    pub(super) fn row(&self, name: &str) -> String {
        let numbers = [self.median, self.min, self.max].map(|x| format!("{x:12.2}")).concat();
        format!("{name:14}{numbers}{:9.1} %\n", self.spread_percent)
    }
}

impl Speed {
    /// Of at least one repeat with so many cells.
    pub(super) fn new(cells: usize, cost: Cost, repeats: &[Sample]) -> Self {
        let cells = cells as f64;
        // Short stretches may take no time that a clock can see.
        let seconds = |one: &Sample| one.seconds.max(1e-9);
        let spread = |of: &dyn Fn(&Sample) -> f64| {
            Spread::of(repeats.iter().map(|one| of(one) / seconds(one)))
        };
        let bytes = |steps: f64, iterations: f64| {
            steps * cost.bytes_per_step + iterations * cost.bytes_per_iteration
        };
        let steps: u64 = repeats.iter().map(|one| one.steps).sum();
        let iterations: u64 = repeats.iter().map(|one| one.iterations).sum();
        let iterations_per_step = iterations as f64 / steps as f64;
        let moved = spread(&|one| cells * bytes(one.steps as f64, one.iterations as f64));
        Self {
            repeats: repeats.len(),
            steps: steps / repeats.len() as u64,
            mlups: spread(&|one| cells * one.steps as f64 / 1e6),
            iterations_per_step,
            iterations_per_second: (iterations > 0).then(|| spread(&|one| one.iterations as f64)),
            memory_bytes_per_cell: cost.bytes_per_cell,
            bytes_per_cell_and_step: bytes(1.0, iterations_per_step),
            bytes_per_second: moved.median,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_number_is_the_median() {
        let of = |numbers: &[f64]| Spread::of(numbers.iter().copied());
        let odd = of(&[3.0, 1.0, 2.0]);
        assert_eq!((odd.median, odd.min, odd.max, odd.spread_percent), (2.0, 1.0, 3.0, 100.0));
        assert_eq!(of(&[4.0, 1.0, 2.0, 8.0]).median, 3.0);
        assert_eq!((of(&[7.0]).median, of(&[7.0]).spread_percent), (7.0, 0.0));
    }

    #[test]
    fn traffic_counts_steps_and_iterations() {
        let cost = Cost { bytes_per_cell: 40.0, bytes_per_step: 80.0, bytes_per_iteration: 20.0 };
        let of = |seconds| Sample { steps: 100, iterations: 400, seconds };
        let speed = Speed::new(1_000_000, cost, &[0.5, 0.25, 1.0].map(of));
        assert_eq!((speed.repeats, speed.steps, speed.memory_bytes_per_cell), (3, 100, 40.0));
        assert_eq!((speed.mlups.median, speed.mlups.min, speed.mlups.max), (200.0, 100.0, 400.0));
        assert_eq!(speed.iterations_per_step, 4.0);
        assert_eq!(speed.iterations_per_second.unwrap().median, 800.0);
        assert_eq!(speed.bytes_per_cell_and_step, 80.0 + 4.0 * 20.0);
        assert_eq!(speed.bytes_per_second, 160.0 * 200e6);
    }
}
