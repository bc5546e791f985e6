//! The state that a step starts from and leaves, beside the fields.

use vortice_core::{Result, StateReader, StateWriter, Step};

/// A moment of the flow, and the step that ends there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepState {
    pub(crate) step: Step,
    /// Largest magnitude of each velocity component in m/s.
    pub(crate) speed: [f64; 3],
    /// How long ago the kept rates of change were those of the flow, in s; zero if there are none.
    pub(crate) rates_age: f64,
    /// Steps so far whose pressure was taken as it was.
    pub(crate) unsolved: Unsolved,
}

/// Steps whose pressure iterations ended at `fdm.max-iterations` before the rule of eq. (F13) held.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Unsolved {
    pub(crate) steps: u64,
    /// The most that one of them left, in the terms of the rule.
    pub(crate) largest: f64,
}

impl Unsolved {
    /// With one more step, which left so much if it was not solved.
    pub(crate) fn and(self, left: Option<f64>) -> Self {
        match left {
            // What is not a number is no largest: `max` takes the other.
            Some(left) => Self { steps: self.steps + 1, largest: self.largest.max(left) },
            None => self,
        }
    }
}

impl StepState {
    /// Adds its numbers to a state.
    pub(crate) fn save(&self, state: &mut dyn StateWriter) {
        self.step.save(state);
        state.numbers([
            ("speed-x", self.speed[0]),
            ("speed-y", self.speed[1]),
            ("speed-z", self.speed[2]),
            ("rates-age", self.rates_age),
            ("unsolved-steps", self.unsolved.steps as f64),
            ("unsolved-largest", self.unsolved.largest),
        ]);
    }

    /// The moment of a saved state. One that an older version wrote keeps no rates and has counted
    /// no steps.
    ///
    /// # Errors
    /// If a number is missing, or counts nothing.
    pub(crate) fn saved(state: &dyn StateReader) -> Result<Self> {
        let number = |name: &str| state.number(name);
        let newer = |name: &str| state.number_or(name, 0.0);
        Ok(Self {
            step: Step::saved(state)?,
            speed: [number("speed-x")?, number("speed-y")?, number("speed-z")?],
            rates_age: newer("rates-age"),
            unsolved: Unsolved {
                steps: state.count_or_none("unsolved-steps")?,
                largest: newer("unsolved-largest"),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use vortice_core::State;

    use super::*;

    #[test]
    fn steps_that_were_not_solved_are_counted_and_survive_a_restart() {
        let mut moment = StepState::default();
        for left in [None, Some(0.01), Some(0.03), Some(f64::NAN), None, Some(0.02)] {
            moment.unsolved = moment.unsolved.and(left);
        }
        assert_eq!(moment.unsolved, Unsolved { steps: 4, largest: 0.03 });
        let mut state = State::default();
        moment.save(&mut state);
        assert_eq!(StepState::saved(&state).expect("all numbers").unsolved, moment.unsolved);
        state.numbers.retain(|name, _| !name.starts_with("unsolved") && name != "rates-age");
        let older = StepState::saved(&state).expect("all numbers");
        assert_eq!((older.unsolved, older.rates_age), (Unsolved::default(), 0.0));
    }
}
