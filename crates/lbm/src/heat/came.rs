//! The heat, or what else is carried, that came in through faces with a given value, counted exactly; eq. (H18).

use vortice_core::{
    Communicator, FaceFluxes, Quantity, Result, Scalar, Side, StateReader, StateWriter,
};

use crate::settings::Settings;

/// Whole units of the heat of a cell.
const UNITS: f64 = (1_u64 << 56) as f64;

/// What came in the last two steps of this rank. The flow may change to and fro from step to step for ever; the mean of two does not.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Came {
    /// By face, in whole units, in the last step and in the one before.
    steps: [[i128; 6]; 2],
}

/// Names in a state: of the last step, and of the one before.
const NAMES: [[&str; 6]; 2] = [
    ["came-x-low", "came-x-high", "came-y-low", "came-y-high", "came-z-low", "came-z-high"],
    [
        "came-before-x-low",
        "came-before-x-high",
        "came-before-y-low",
        "came-before-y-high",
        "came-before-z-low",
        "came-before-z-high",
    ],
];

/// What stands before the names of a scalar.
fn prefix(scalar: &Scalar) -> String {
    match scalar.quantity {
        Quantity::Temperature => String::new(),
        _ => scalar.name_in_state() + "-",
    }
}

impl Came {
    /// What came in the last step and in the one before, by face, in whole units.
    pub(crate) fn of(steps: [[i128; 6]; 2]) -> Self {
        Self { steps }
    }

    /// The reverse of `of`.
    pub(crate) fn steps(&self) -> [[i128; 6]; 2] {
        self.steps
    }

    /// Before what comes in a step is added.
    pub(crate) fn begin_step(&mut self) {
        self.steps = [[0; 6], self.steps[0]];
    }

    /// Adds what came back from a face and takes away what left.
    #[inline]
    pub(crate) fn add(&mut self, (direction, side): (usize, Side), [back, left]: [f64; 2]) {
        let units = ((back - left) * UNITS).round_ties_even() as i64;
        self.steps[0][2 * direction + side as usize] += i128::from(units);
    }

    /// The sums of all ranks in whole units, as numbers.
    fn sums(&self, ranks: &dyn Communicator) -> Result<[[f64; 6]; 2]> {
        let mut steps = self.steps;
        ranks.sums_exact(steps.as_flattened_mut())?;
        Ok(steps.map(|step| step.map(|sum| sum as f64)))
    }

    /// What came in a step, the mean of the last two, of all ranks. Collective.
    fn of_all(&self, ranks: &dyn Communicator) -> Result<FaceFluxes> {
        let [last, before] = self.sums(ranks)?;
        let mean = |face: usize| 0.5 * (last[face] + before[face]) / UNITS;
        Ok(std::array::from_fn(|d| [mean(2 * d), mean(2 * d + 1)]))
    }

    /// Mean heat fluxes from the faces whose temperature is given, of all ranks; eq. (H18). Collective.
    ///
    /// # Errors
    /// If ranks cannot be reached.
    pub(crate) fn fluxes(
        &self,
        (settings, scalar): (&Settings, &Scalar),
        ranks: &dyn Communicator,
    ) -> Result<FaceFluxes> {
        let unit = settings.spacing / settings.dt * scalar.difference;
        let (n, all) = (settings.case.grid.cells(), settings.case.grid.n_cells());
        let mut fluxes = self.of_all(ranks)?;
        for d in 0..3 {
            fluxes[d] = fluxes[d].map(|sum| unit * sum / (all / n[d]) as f64);
        }
        Ok(fluxes)
    }

    /// Adds it to a state. Collective.
    ///
    /// # Errors
    /// If ranks cannot be reached.
    pub(crate) fn save(
        &self,
        state: &mut dyn StateWriter,
        scalar: &Scalar,
        ranks: &dyn Communicator,
    ) -> Result<()> {
        let of = prefix(scalar);
        for (names, sums) in NAMES.iter().zip(self.sums(ranks)?) {
            for (name, sum) in names.iter().zip(sums) {
                state.number(&format!("{of}{name}"), sum);
            }
        }
        Ok(())
    }

    /// The reverse of `save`: all of it on the first rank.
    ///
    /// # Errors
    /// If it is missing.
    pub(crate) fn saved(state: &dyn StateReader, scalar: &Scalar, rank: usize) -> Result<Self> {
        let (mut came, of) = (Self::default(), prefix(scalar));
        if rank == 0 {
            for (names, sums) in NAMES.iter().zip(&mut came.steps) {
                for (name, sum) in names.iter().zip(sums) {
                    *sum = state.number(&format!("{of}{name}"))? as i128;
                }
            }
        }
        Ok(came)
    }
}
