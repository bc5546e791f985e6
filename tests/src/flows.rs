//! Running a built-in case and judging it.

use vortice::prelude::*;
use vortice::{Fields, Ran};
use vortice_core::{Communicator, Threads};

use std::sync::Arc;

/// A built-in case with overrides, on the device that the variable `VORTICE_TEST_DEVICE` names (as
/// `--device` does), or else the one that the case names.
///
/// # Panics
/// If there is none: this is a test.
pub fn open(name: &str, sets: &[&str]) -> Case {
    let device =
        std::env::var("VORTICE_TEST_DEVICE").map(|device| format!("run.device={device:?}"));
    let sets = sets.iter().map(ToString::to_string).chain(device);
    open_case(name, &sets.collect::<Vec<_>>()).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a built-in case with overrides, on this thread.
///
/// # Panics
/// If it cannot be run to its goal: this is a test.
pub fn run(name: &str, sets: &[&str]) -> Ran {
    let ran = Ran::of(open(name, sets), &Context::alone(), |simulation, _| {
        Ok(simulation.watch(Every::Steps(100), Finite::new("this is a test")))
    });
    let ran = ran.unwrap_or_else(|error| panic!("{error}"));
    println!("{}, {:?} cells: {}", ran.case.title, ran.case.grid.cells(), ran.outcome);
    assert!(ran.outcome.converged, "{}", ran.outcome.reason);
    ran
}

/// Judging a flow in a test. All of these panic if there is no such reference.
pub trait Judge {
    /// The comparison with a reference; prints it.
    fn against(&self, reference: &str) -> Comparison;

    /// Asserts that the largest error against a reference is at most `tolerance`.
    ///
    /// # Panics
    /// If it is larger, or not a number.
    fn within(&self, reference: &str, tolerance: f64) {
        let error = self.against(reference).max_error;
        assert!(error <= tolerance, "{reference}: {error} is more than {tolerance}");
    }

    /// A value of the flow by the name of a sample: `u min` of a table of extrema, say.
    ///
    /// # Panics
    /// If the reference has no such sample.
    fn sample(&self, reference: &str, what: &str) -> f64;
}

impl Judge for Ran {
    fn against(&self, reference: &str) -> Comparison {
        let comparison = compare(self, reference);
        let Comparison { name, points, max_error, rms_error, .. } = &comparison;
        println!("  {name}: {points} points, max error {max_error:.5}, rms {rms_error:.5}");
        if ["extrema", "lengths", "coefficients"].contains(&comparison.kind) {
            for sample in &comparison.samples {
                let (computed, reference) = (sample.computed, sample.reference);
                println!("    {}: {computed:.5}, published {reference:.5}", sample.what);
            }
        }
        comparison
    }

    fn sample(&self, reference: &str, what: &str) -> f64 {
        let comparison = compare(self, reference);
        let found = comparison.samples.iter().find(|sample| sample.what == what);
        found.unwrap_or_else(|| panic!("{reference} has no {what}")).computed
    }
}

fn compare(ran: &Ran, reference: &str) -> Comparison {
    let reference = Reference::find(&ran.case, reference);
    ran.compare(&reference.unwrap_or_else(|error| panic!("{error}")))
}

/// Runs a built-in case on several ranks (threads) and returns the fields of rank 0.
///
/// # Panics
/// If it cannot be run: this is a test.
pub fn run_on_ranks(name: &str, sets: &[&str], size: usize) -> Fields {
    let case = open(name, sets);
    let kept = Threads::run(size, |rank| {
        let ranks: Arc<dyn Communicator> = Arc::new(rank);
        let context = Context::new(ranks);
        let keep = Keep::new();
        Simulation::new(&case, &context)?.watch(Every::Ends, keep.clone()).run()?;
        Ok(keep.take())
    });
    kept.unwrap_or_else(|error| panic!("{error}")).swap_remove(0).expect("fields on rank 0")
}

/// The value that grids of spacing h, 2h and 4h converge to, and the order with which they do:
/// Richardson (1911).
pub fn richardson([coarse, middle, fine]: [f64; 3]) -> (f64, f64) {
    let order = ((coarse - middle) / (middle - fine)).abs().log2();
    (fine + (fine - middle) / (2.0_f64.powf(order) - 1.0), order)
}
