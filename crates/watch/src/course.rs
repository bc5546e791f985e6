//! How the residual and the forces went: what a page that is opened late wants to see too.

use std::sync::{Arc, Mutex};

use vortice_core::{Monitor, Result, Snapshot, Step, Verdict, lock};

/// Points of a curve that are kept at most; then every second one is let go.
const MOST: usize = 4096;

/// Keeps the residual of steps; clones share it. It costs a step no more than a number.
#[derive(Clone, Debug, Default)]
pub struct Course {
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    residuals: Thinned<Residual>,
    forces: Thinned<Forces>,
}

/// Step, flow time in s, residual in 1/s and iteration error.
pub(crate) type Residual = (u64, f64, f64, f64);

/// Flow time in s, and the force coefficients of each body.
pub(crate) type Forces = (f64, Vec<[f64; 3]>);

/// Points of which one in so many is kept.
#[derive(Debug)]
struct Thinned<T> {
    points: Vec<T>,
    stride: u64,
    passed: u64,
}

impl<T> Default for Thinned<T> {
    fn default() -> Self {
        Self { points: Vec::new(), stride: 1, passed: 0 }
    }
}

impl<T> Thinned<T> {
    fn push(&mut self, point: impl FnOnce() -> T) {
        if self.passed.is_multiple_of(self.stride) {
            self.points.push(point());
            if self.points.len() >= MOST {
                let mut number = 0;
                self.points.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
                self.stride *= 2;
            }
        }
        self.passed += 1;
    }
}

impl Course {
    /// The residuals.
    pub(crate) fn residuals(&self) -> Vec<Residual> {
        lock(&self.kept).residuals.points.clone()
    }

    /// The forces of the moments at which they were looked at.
    pub(crate) fn forces(&self) -> Vec<Forces> {
        lock(&self.kept).forces.points.clone()
    }

    pub(crate) fn keep_forces(&self, step: Step, forces: Vec<[f64; 3]>) {
        let mut kept = lock(&self.kept);
        if kept.forces.points.last().is_none_or(|(time, _)| *time != step.time) {
            kept.forces.push(|| (step.time, forces));
        }
    }
}

impl Monitor for Course {
    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        let Step { number, time, residual, iteration_error, .. } = now.step;
        lock(&self.kept).residuals.push(|| (number, time, residual, iteration_error));
        Ok(Verdict::Continue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_curves_keep_their_shape_in_few_points() {
        let mut curve = Thinned::default();
        (0..100_000_u64).for_each(|n| curve.push(|| n));
        assert!(curve.points.len() <= MOST && curve.points.len() >= MOST / 2);
        assert_eq!((curve.points[0], curve.points[1]), (0, curve.stride));
    }
}
