//! The flow of another run, with which one may begin.

use std::path::Path;
use std::sync::OnceLock;

use crate::checksum::checksum;
use crate::field::Field;
use crate::grid::{Axis, Grid};
use crate::solid::Solids;

/// Share of a cell within which a place is the centre of a cell, so that rounding does not mix two.
const CENTRE: f64 = 1e-9;

/// Which of the steps in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StoredStep {
    /// The last one.
    Last,
    /// That of a number.
    Number(u64),
    /// That at a flow time in s.
    Time(f64),
}

/// Reads the flow in a file, or says what is wrong with it as the rest of a sentence.
pub type FlowReader = fn(&Path, StoredStep) -> Result<StoredFlow, String>;

static READER: OnceLock<FlowReader> = OnceLock::new();

/// Says how flows are read that cases begin with, before the first such case is read. The first one that is named stays.
pub fn read_stored_flows_with(reader: FlowReader) {
    let _ = READER.set(reader);
}

/// What [`read_stored_flows_with`] was called with.
pub(crate) fn reader() -> Option<FlowReader> {
    READER.get().copied()
}

/// Velocity and pressure at the centres of a grid's cells; between them and beyond, everywhere in its box, straight lines.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredFlow {
    grid: Grid,
    velocity: Field,
    pressure: Option<Field>,
    periodic: [bool; 3],
    /// Pressure in Pa that counts as zero.
    level: f64,
    /// Cells that tell nothing of the flow.
    solids: Solids,
}

impl StoredFlow {
    /// Of a velocity in m/s and, if it is known, a pressure in Pa, both without halo.
    pub fn new(grid: Grid, velocity: Field, pressure: Option<Field>) -> Self {
        let solids = Solids::default();
        Self { grid, velocity, pressure, periodic: [false; 3], level: 0.0, solids }
    }

    /// The same around solids of its grid, of which nothing is taken.
    pub(crate) fn around(self, solids: Solids) -> Self {
        Self { solids, ..self }
    }

    /// The grid that it was computed on.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// A cell in which a value is no number, with its name and value.
    pub(crate) fn not_finite(&self) -> Option<([isize; 3], &'static str, f64)> {
        let of = |field: &Field, name| {
            let wrong = |cell| {
                let values = (0..field.components).map(|c| field.at(c, cell));
                values.into_iter().find(|value| !value.is_finite()).map(|value| (cell, name, value))
            };
            field.own_cells().find_map(wrong)
        };
        let pressure = || self.pressure.as_ref().and_then(|field| of(field, "pressure"));
        of(&self.velocity, "velocity").or_else(pressure)
    }

    /// The same in a box that is periodic in some directions; where nothing fixes the pressure, its mean is zero.
    pub(crate) fn in_box(self, periodic: [bool; 3], fixes_pressure: bool) -> Self {
        let mean = |field: &Field| field.values.iter().sum::<f64>() / field.values.len() as f64;
        let level = self.pressure.as_ref().filter(|_| !fixes_pressure).map_or(0.0, mean);
        Self { periodic, level, ..self }
    }

    /// Velocity in m/s at a point (m).
    pub fn velocity(&self, point: [f64; 3]) -> [f64; 3] {
        let nodes = self.nodes(point);
        std::array::from_fn(|c| self.between(&self.velocity, c, &nodes))
    }

    /// Pressure in Pa at a point (m); zero if it is not known.
    pub fn pressure(&self, point: [f64; 3]) -> f64 {
        let nodes = self.nodes(point);
        self.pressure.as_ref().map_or(0.0, |field| self.between(field, 0, &nodes) - self.level)
    }

    /// The two nearest cells in each direction with their weights.
    fn nodes(&self, point: [f64; 3]) -> [[(isize, f64); 2]; 3] {
        std::array::from_fn(|d| nearest(&self.grid.axes[d], self.periodic[d], point[d]))
    }

    /// The value of a component between eight cells, without those in solids; zero among these.
    fn between(&self, field: &Field, component: usize, [x, y, z]: &[[(isize, f64); 2]; 3]) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for &(k, in_z) in z.iter().filter(|(_, weight)| *weight > 0.0) {
            for &(j, in_y) in y.iter().filter(|(_, weight)| *weight > 0.0) {
                for &(i, in_x) in x.iter().filter(|(_, weight)| *weight > 0.0) {
                    if self.solids.is_empty() || !self.solids.contains([i, j, k]) {
                        let weight = in_x * in_y * in_z;
                        sum += weight * field.at(component, [i, j, k]);
                        weights += weight;
                    }
                }
            }
        }
        match (self.solids.is_empty(), weights > 0.0) {
            (true, _) => sum,
            (false, true) => sum / weights,
            (false, false) => 0.0,
        }
    }

    /// A text that is another one for another flow, wherever it lies: cells and a checksum.
    pub(crate) fn told(&self) -> String {
        let [nx, ny, nz] = self.grid.cells();
        let pressure = self.pressure.iter().flat_map(|field| &field.values);
        let checksum = checksum(self.velocity.values.iter().chain(pressure).copied());
        format!("{nx} x {ny} x {nz} cells, checksum {checksum:016x}")
    }
}

/// The two cells whose centres a coordinate (m) lies between, with their weights.
fn nearest(axis: &Axis, periodic: bool, x: f64) -> [(isize, f64); 2] {
    let place = (x - axis.low()) / axis.spacing() - 0.5;
    let centre = place.round();
    let place = if (place - centre).abs() < CENTRE { centre } else { place };
    let (first, n) = (place.floor(), axis.len() as isize);
    let share = place - first;
    let inside = |i: isize| if periodic { i.rem_euclid(n) } else { i.clamp(0, n - 1) };
    let first = first as isize;
    [(inside(first), 1.0 - share), (inside(first + 1), share)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Location, Shape};

    fn flow(cells: [usize; 3]) -> StoredFlow {
        let grid = Grid::uniform(cells, [3.0, 1.0, 2.0], [-1.0, 0.0, 0.5]);
        let shape = Shape { cells, halo: [0; 3] };
        let mut velocity = Field::zeros(Location::Centre, shape, 3);
        let mut pressure = Field::zeros(Location::Centre, shape, 1);
        for cell in pressure.own_cells().collect::<Vec<_>>() {
            let [x, y, z] = grid.centre(cell);
            [x + 2.0 * y, 3.0 * z - y, 1.0 - x].into_iter().enumerate().for_each(|(c, u)| {
                *velocity.at_mut(c, cell) = u;
            });
            *pressure.at_mut(0, cell) = 5.0 + y;
        }
        StoredFlow::new(grid, velocity, Some(pressure))
    }

    #[test]
    fn it_is_straight_between_cells_and_exact_in_them() {
        let flow = flow([6, 4, 5]);
        for cell in [[0, 0, 0], [3, 2, 4], [5, 3, 1]] {
            let [x, y, z] = flow.grid.centre(cell);
            assert_eq!(flow.velocity([x, y, z]), [x + 2.0 * y, 3.0 * z - y, 1.0 - x]);
            assert_eq!(flow.pressure([x, y, z]), 5.0 + y);
        }
        let [x, y, z] = [0.1, 0.4, 1.3];
        let u = flow.velocity([x, y, z]);
        let exact = [x + 2.0 * y, 3.0 * z - y, 1.0 - x];
        assert!((0..3).all(|c| (u[c] - exact[c]).abs() < 1e-14), "{u:?}");
    }

    #[test]
    fn beyond_the_last_cells_it_stays_or_comes_again() {
        let flow = flow([6, 4, 5]).in_box([true, false, false], false);
        let y = flow.grid.axes[1].centre(0);
        assert_eq!(flow.velocity([0.25, 0.0, 0.7])[0], 0.25 + 2.0 * y);
        // Halfway between the last cell and the first.
        let u = flow.velocity([2.0, y, 0.7]);
        assert!((u[0] - 2.0 * y - 0.5).abs() < 1e-14, "{u:?}");
        assert_eq!(u, flow.velocity([-1.0, y, 0.7]));
        let mean = |flow: &StoredFlow| flow.pressure([0.0, 0.5, 1.0]);
        assert!(mean(&flow).abs() < 1e-14, "its mean is zero: {}", mean(&flow));
    }

    #[test]
    fn a_value_that_is_no_number_is_told() {
        let mut flow = flow([2, 2, 2]);
        assert_eq!(flow.not_finite(), None);
        *flow.velocity.at_mut(1, [1, 0, 1]) = f64::INFINITY;
        assert_eq!(flow.not_finite(), Some(([1, 0, 1], "velocity", f64::INFINITY)));
    }
}
