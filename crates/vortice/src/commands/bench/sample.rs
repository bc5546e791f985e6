//! Steps against the clock.

use std::time::Instant;

use vortice_core::{Communicator, Result, Solver};

/// Some steps, and how long they took on the slowest rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    pub(super) steps: u64,
    pub(super) iterations: u64,
    pub(super) seconds: f64,
}

impl Sample {
    /// Does so many steps, to the end. All ranks begin together and get the same answer.
    ///
    /// # Errors
    /// If the solver or another rank fails.
    pub(super) fn of(
        solver: &mut dyn Solver,
        ranks: &dyn Communicator,
        steps: u64,
    ) -> Result<Self> {
        solver.finish()?;
        ranks.all_gather(&[])?;
        let begin = Instant::now();
        let mut iterations = 0;
        for _ in 0..steps {
            iterations += solver.step(f64::INFINITY)?.iterations;
        }
        solver.finish()?;
        let mut seconds = [begin.elapsed().as_secs_f64()];
        ranks.max(&mut seconds)?;
        Ok(Self { steps, iterations, seconds: seconds[0] })
    }
}

/// Steps until a device is awake, what is made in the first steps is made, and a sample is long
/// enough to foretell the others. Returns how many steps take about `seconds`: a power of two, as
/// solvers that do several steps in one launch do powers of two of them; each sample then begins
/// as far ahead as it ends. The same for all ranks.
///
/// # Errors
/// If the solver or another rank fails.
pub(super) fn warm_up(
    solver: &mut dyn Solver,
    ranks: &dyn Communicator,
    seconds: f64,
) -> Result<u64> {
    Sample::of(solver, ranks, 1)?;
    let mut steps = 1;
    loop {
        let took = Sample::of(solver, ranks, steps)?.seconds;
        if took >= seconds / 4.0 {
            return Ok(steps_of(seconds, steps, took));
        }
        steps *= 2;
    }
}

/// The power of two nearest to the steps of so many seconds, if `steps`, a power of two, took `took`.
fn steps_of(seconds: f64, steps: u64, took: f64) -> u64 {
    let times = (seconds / took).log2().round().exp2();
    ((steps as f64 * times) as u64).max(1)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use vortice_core::{
        Cost, Error, Field, Quantity, Solo, StateReader, StateWriter, Step, Threads,
    };

    use super::*;

    /// Each step takes so long, but only once a caller waits for it.
    struct Lazy {
        now: Step,
        pending: u32,
        each: Duration,
    }

    impl Lazy {
        fn new(each: Duration) -> Self {
            Self { now: Step::default(), pending: 0, each }
        }
    }

    impl Solver for Lazy {
        fn now(&self) -> Step {
            self.now
        }

        fn step(&mut self, latest: f64) -> Result<Step> {
            assert_eq!(latest, f64::INFINITY, "no step is shortened");
            self.pending += 1;
            self.now = Step { number: self.now.number + 1, iterations: 3, ..self.now };
            Ok(self.now)
        }

        fn finish(&mut self) -> Result<()> {
            std::thread::sleep(std::mem::take(&mut self.pending) * self.each);
            Ok(())
        }

        fn field(&mut self, _: Quantity) -> Result<Field> {
            Err(Error::case("field", "there is none", "ask for none"))
        }

        fn save(&mut self, _: &mut dyn StateWriter) -> Result<()> {
            Ok(())
        }

        fn restore(&mut self, _: &dyn StateReader) -> Result<()> {
            Ok(())
        }

        fn cost(&self) -> Cost {
            Cost { bytes_per_cell: 8.0, bytes_per_step: 8.0, bytes_per_iteration: 8.0 }
        }
    }

    #[test]
    fn steps_that_are_done_late_are_waited_for() {
        let each = Duration::from_millis(5);
        let mut solver = Lazy::new(each);
        // What was asked for before the clock started is not counted.
        solver.pending = 80;
        let sample = Sample::of(&mut solver, &Solo, 8).unwrap();
        assert_eq!((sample.steps, sample.iterations, solver.now.number), (8, 24, 8));
        assert!(sample.seconds >= 0.040 && sample.seconds < 0.400, "{sample:?}");
    }

    #[test]
    fn a_warm_up_ends_when_it_knows_how_long_steps_take() {
        let mut solver = Lazy::new(Duration::from_millis(2));
        let steps = warm_up(&mut solver, &Solo, 0.4).unwrap();
        // 200 steps of at least 2 ms would take as long; a late sleeper gives fewer.
        assert!(steps.is_power_of_two() && (4..=256).contains(&steps), "{steps}");
        let mut slow = Lazy::new(Duration::from_millis(20));
        assert_eq!(warm_up(&mut slow, &Solo, 0.001).unwrap(), 1);
        assert_eq!(slow.now.number, 2, "one step to warm up, one to measure");
    }

    #[test]
    fn all_ranks_do_the_steps_of_the_slowest() {
        let found = Threads::run(3, |ranks| {
            let each = Duration::from_millis(if ranks.rank() == 1 { 4 } else { 0 });
            let mut solver = Lazy::new(each);
            let steps = warm_up(&mut solver, &ranks, 0.1)?;
            let sample = Sample::of(&mut solver, &ranks, 8)?;
            Ok((steps, sample, solver.now.number))
        });
        let found = found.unwrap();
        assert!(found.iter().all(|one| *one == found[0]), "{found:?}");
        assert!(found[0].0 <= 32 && found[0].1.seconds >= 0.032, "{found:?}");
    }

    #[test]
    fn stretches_are_powers_of_two() {
        for (seconds, steps, took, expected) in
            [(1.0, 64, 0.25, 256), (1.0, 64, 0.3, 256), (1.0, 64, 0.4, 128), (1.0, 1, 30.0, 1)]
        {
            assert_eq!(steps_of(seconds, steps, took), expected);
        }
    }
}
