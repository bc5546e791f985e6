//! The heat, or what else is carried, that came in through faces with a given value, counted exactly; eq. (H18).

use vortice_core::{
    Case, Communicator, FaceFluxes, Quantity, Result, Scalar, Side, StateReader, StateWriter,
    Surface,
};

use crate::settings::Settings;

/// Whole units of the heat of a cell.
const UNITS: f64 = (1_u64 << 56) as f64;

/// What came in the last two steps of this rank. The flow may change to and fro from step to step for ever; the mean of two does not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Came {
    /// By face, and then by surface inside the box, in whole units, in the last step and in the one before.
    steps: [Vec<i128>; 2],
}

/// The faces of the box.
pub(crate) const FACES: usize = 6;

/// How much of a case is counted: faces of the box, bodies and solid boxes.
pub(crate) fn counted(case: &Case) -> usize {
    FACES + Surface::inner(case).count()
}

/// Names in a state: of the last step, and of the one before.
fn names(case: &Case) -> [Vec<String>; 2] {
    let faces = (0..3).flat_map(|d| Side::BOTH.map(|side| Surface::Face(d, side)));
    let surfaces: Vec<_> = faces.chain(Surface::inner(case)).collect();
    ["came", "came-before"].map(|when| {
        let name = |surface: &Surface| match surface {
            Surface::Face(..) => format!("{when}-{}", surface.name(case)),
            Surface::Solid(number) => format!("{when}-solid-{}", number + 1),
            Surface::Body(_) => format!("{when}-body-{}", surface.name(case)),
        };
        surfaces.iter().map(name).collect()
    })
}

/// What stands before the names of a scalar.
fn prefix(scalar: &Scalar) -> String {
    match scalar.quantity {
        Quantity::Temperature => String::new(),
        _ => scalar.name_in_state() + "-",
    }
}

impl Came {
    /// Nothing yet.
    pub(crate) fn new(case: &Case) -> Self {
        let none = || vec![0; counted(case)];
        Self { steps: [none(), none()] }
    }

    /// What came in the last step and in the one before, by face and surface, in whole units.
    pub(crate) fn of(steps: [Vec<i128>; 2]) -> Self {
        Self { steps }
    }

    /// The reverse of `of`.
    pub(crate) fn steps(&self) -> &[Vec<i128>; 2] {
        &self.steps
    }

    /// Before what comes in a step is added.
    pub(crate) fn begin_step(&mut self) {
        self.steps.swap(0, 1);
        self.steps[0].fill(0);
    }

    /// Adds what came back from a face and takes away what left.
    #[inline]
    pub(crate) fn add(&mut self, (direction, side): (usize, Side), both: [f64; 2]) {
        self.count(2 * direction + side as usize, both);
    }

    /// The same of a surface inside the box, by its number.
    #[inline]
    pub(crate) fn add_inside(&mut self, surface: usize, both: [f64; 2]) {
        self.count(FACES + surface, both);
    }

    #[inline]
    fn count(&mut self, number: usize, [back, left]: [f64; 2]) {
        let units = ((back - left) * UNITS).round_ties_even() as i64;
        self.steps[0][number] += i128::from(units);
    }

    /// The sums of all ranks in whole units, as numbers.
    fn sums(&self, ranks: &dyn Communicator) -> Result<[Vec<f64>; 2]> {
        let mut steps = self.steps.concat();
        ranks.sums_exact(&mut steps)?;
        let sums: Vec<f64> = steps.into_iter().map(|sum| sum as f64).collect();
        let (last, before) = sums.split_at(sums.len() / 2);
        Ok([last.to_vec(), before.to_vec()])
    }

    /// What came in a step, the mean of the last two, of all ranks. Collective.
    fn of_all(&self, ranks: &dyn Communicator) -> Result<Vec<f64>> {
        let [last, before] = self.sums(ranks)?;
        let both = last.into_iter().zip(before);
        Ok(both.map(|(last, before)| 0.5 * (last + before) / UNITS).collect())
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
        let sums = self.of_all(ranks)?;
        let mean = |d: usize, side: usize| unit * sums[2 * d + side] / (all / n[d]) as f64;
        Ok(std::array::from_fn(|d| [mean(d, 0), mean(d, 1)]))
    }

    /// The heat from bodies and solid boxes in K m3/s, of a plane flow in K m2/s, of all ranks; eq. (H24). Collective.
    ///
    /// # Errors
    /// If ranks cannot be reached.
    pub(crate) fn of_surfaces(
        &self,
        (settings, scalar): (&Settings, &Scalar),
        ranks: &dyn Communicator,
    ) -> Result<Vec<f64>> {
        let across = settings.case.grid.directions().skip(1).map(|_| settings.spacing);
        let unit = settings.spacing / settings.dt * scalar.difference * across.product::<f64>();
        let sums = self.of_all(ranks)?;
        Ok(sums[FACES..].iter().map(|sum| unit * sum).collect())
    }

    /// Adds it to a state. Collective.
    ///
    /// # Errors
    /// If ranks cannot be reached.
    pub(crate) fn save(
        &self,
        state: &mut dyn StateWriter,
        (case, scalar): (&Case, &Scalar),
        ranks: &dyn Communicator,
    ) -> Result<()> {
        let of = prefix(scalar);
        for (names, sums) in names(case).iter().zip(self.sums(ranks)?) {
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
    pub(crate) fn saved(
        state: &dyn StateReader,
        (case, scalar): (&Case, &Scalar),
        rank: usize,
    ) -> Result<Self> {
        let (mut came, of) = (Self::new(case), prefix(scalar));
        if rank == 0 {
            for (names, sums) in names(case).iter().zip(&mut came.steps) {
                for (name, sum) in names.iter().zip(sums) {
                    *sum = state.number(&format!("{of}{name}"))? as i128;
                }
            }
        }
        Ok(came)
    }
}
