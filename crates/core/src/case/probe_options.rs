//! What is written at points over time.

use crate::grid::Grid;
use crate::quantity::Quantity;

/// When values at points are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ProbeTimes {
    /// Each so many steps.
    Steps(u64),
    /// Each so many seconds of flow time.
    Seconds(f64),
}

/// A point whose values are written.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// Its name in the case; of a line's points the line's, a dot and their number from 1 on.
    pub name: String,
    /// Where it lies, in m.
    pub point: [f64; 3],
    /// The key that names it.
    pub(super) key: String,
}

/// What is written at points.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbeOptions {
    /// When.
    pub times: ProbeTimes,
    /// Some of velocity, pressure, temperature and scalars.
    pub quantities: Vec<Quantity>,
    /// Where: first the points, then those of lines, each in the order of names.
    pub probes: Vec<Probe>,
}

impl Probe {
    /// Whether it is one of the points of a line.
    pub fn is_of_line(&self) -> bool {
        self.name.contains('.')
    }
}

impl ProbeOptions {
    /// The names of a point's values, in the order in which they are written: of the velocity each component that the
    /// flow has.
    pub fn variables(&self, grid: &Grid) -> Vec<(Quantity, usize, &'static str)> {
        let of = |&quantity: &Quantity| match quantity {
            Quantity::Velocity => {
                grid.directions().map(|d| (quantity, d, ["u", "v", "w"][d])).collect()
            }
            Quantity::Temperature => vec![(quantity, 0, "T")],
            Quantity::Scalar(_) => vec![(quantity, 0, quantity.name())],
            _ => vec![(quantity, 0, "p")],
        };
        self.quantities.iter().flat_map(of).collect()
    }
}
