//! Profiles that carry the flow of the cells: integrals first, values as their slopes.

use std::ops::Range;

use crate::flow::{Flow, Line, Variable};
use crate::interpolation::{derivative_weights, weights};

/// Faces that the polynomial of a cell goes through.
const FACES: usize = 6;

/// A variable along a line whose integral over each cell is the cell's value times its width, eq.
/// (P11): in units of the case's scale, positions from the low corner of the box.
///
/// Values between the cells come from a polynomial of fourth degree in each cell, so profiles jump
/// a little at the faces. Use it for flow rates and where values are means over cells; published
/// points are compared with [`Flow::value`], which knows what walls prescribe.
#[derive(Clone, Debug)]
pub struct FluxProfile {
    faces: Vec<f64>,
    /// The integral from the low end to each face.
    integrals: Vec<f64>,
    /// Runs of fluid cells, which polynomials do not leave.
    runs: Vec<Range<usize>>,
}

impl Flow<'_> {
    /// The profile of a variable along a line that conserves what the cells on it carry.
    pub fn flux_profile(&self, variable: Variable, line: Line) -> FluxProfile {
        let axis = &self.case.grid.axes[line.along];
        let (n, h) = (axis.len(), axis.spacing() / self.case.scale.length);
        let mut integrals = vec![0.0];
        for (_, value) in self.profile(variable, line) {
            integrals.push(integrals[integrals.len() - 1] + value * h);
        }
        let faces = (0..=n).map(|i| i as f64 * h).collect();
        FluxProfile { faces, integrals, runs: self.runs(line) }
    }

    /// Runs of fluid cells along a line.
    fn runs(&self, line: Line) -> Vec<Range<usize>> {
        let (axes, solids) = (&self.case.grid.axes, self.case.solids());
        let mut cell: [isize; 3] = std::array::from_fn(|d| {
            let x = line.at[d] * self.case.scale.length / axes[d].spacing();
            (x.floor() as isize).clamp(0, axes[d].len() as isize - 1)
        });
        let mut runs: Vec<Range<usize>> = Vec::new();
        for i in 0..axes[line.along].len() {
            cell[line.along] = i as isize;
            match runs.last_mut() {
                _ if solids.contains(cell) => {}
                Some(run) if run.end == i => run.end += 1,
                _ => runs.push(i..i + 1),
            }
        }
        runs
    }
}

impl FluxProfile {
    /// The value at a position; zero in solid cells.
    pub fn value(&self, position: f64) -> f64 {
        let Some(near) = self.faces_around(position) else { return 0.0 };
        let [_, slope, _] = derivative_weights(&self.faces[near.clone()], position);
        slope.iter().zip(&self.integrals[near]).map(|(weight, sum)| weight * sum).sum()
    }

    /// The integral between two positions: the flow rate, per depth, if the variable is the velocity
    /// across the line.
    pub fn integral(&self, from: f64, to: f64) -> f64 {
        self.primitive(to) - self.primitive(from)
    }

    /// The integral over the whole line.
    pub fn total(&self) -> f64 {
        self.integrals[self.integrals.len() - 1]
    }

    /// The integral from the low end of the line.
    fn primitive(&self, position: f64) -> f64 {
        let Some(near) = self.faces_around(position) else {
            return self.integrals[self.cell(position)];
        };
        let weights = weights(&self.faces[near.clone()], position);
        weights.iter().zip(&self.integrals[near]).map(|(weight, sum)| weight * sum).sum()
    }

    /// The faces of the polynomial of the cell that a position lies in; none in solid cells.
    fn faces_around(&self, position: f64) -> Option<Range<usize>> {
        let cell = self.cell(position);
        let run = self.runs.iter().find(|run| run.contains(&cell))?;
        let first = (cell + 1).saturating_sub(FACES / 2).max(run.start);
        let start = first.min((run.end + 1).saturating_sub(FACES)).max(run.start);
        Some(start..(start + FACES).min(run.end + 1))
    }

    fn cell(&self, position: f64) -> usize {
        let above = self.faces.partition_point(|face| *face <= position);
        above.saturating_sub(1).min(self.faces.len() - 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{case, field, orders, seen_with};

    const ACROSS: Line = Line { along: 1, at: [0.5, 0.0, 0.0] };
    const U: Variable = Variable::Velocity(0);

    #[test]
    fn the_integral_over_each_cell_is_what_the_cell_carries() {
        let case = case("grid.cells=[8,9,1]", &[]);
        let velocity =
            field(
                &case,
                3,
                |c, [x, y, _]| {
                    if c == 0 { (7.0 * y).sin() * x + (31.0 * y).cos() } else { 0.0 }
                },
            );
        let pressure = field(&case, 1, |_, _| 0.0);
        let flow = seen_with(&case, &velocity, &pressure);
        let profile = flow.flux_profile(U, ACROSS);
        let mut sum = 0.0;
        for (j, (_, value)) in flow.profile(U, ACROSS).into_iter().enumerate() {
            let (low, high) = (j as f64 / 9.0, (j as f64 + 1.0) / 9.0);
            assert!((profile.integral(low, high) - value / 9.0).abs() < 1e-14, "cell {j}");
            // What the values say agrees: three points of Gauss in the cell.
            let (middle, away) = (0.5 * (low + high), 0.5 / 9.0 * 0.6_f64.sqrt());
            let three = [(middle - away, 5.0), (middle, 8.0), (middle + away, 5.0)];
            let mean: f64 = three.iter().map(|(y, weight)| weight * profile.value(*y) / 18.0).sum();
            assert!((mean - value).abs() < 1e-13, "cell {j}: {mean} {value}");
            sum += value / 9.0;
        }
        assert!((profile.total() - sum).abs() < 1e-15);
    }

    #[test]
    fn values_from_exact_means_are_fifth_order_up_to_the_ends() {
        let f = |y: f64| (3.0 * y).sin() * y.exp();
        // The primitive of sin(3 y) exp(y).
        let primitive = |y: f64| 0.1 * y.exp() * ((3.0 * y).sin() - 3.0 * (3.0 * y).cos());
        let errors = [16, 32, 64].map(|n| {
            let case = case(&format!("grid.cells=[8,{n},1]"), &[]);
            let half = 0.5 / f64::from(n);
            let mean = |y: f64| (primitive(y + half) - primitive(y - half)) / (2.0 * half);
            let velocity = field(&case, 3, |c, [_, y, _]| if c == 0 { mean(y) } else { 0.0 });
            let pressure = field(&case, 1, |_, _| 0.0);
            let line = Line { at: [0.5 / 8.0 * 7.0, 0.0, 0.0], ..ACROSS };
            let profile = seen_with(&case, &velocity, &pressure).flux_profile(U, line);
            assert!((profile.total() - primitive(1.0) + primitive(0.0)).abs() < 1e-13);
            let places = (0..=1000).map(|i| f64::from(i) / 1000.0);
            places.map(|y| (profile.value(y) - f(y)).abs()).fold(0.0, f64::max)
        });
        assert!(orders("values of a flux profile", &errors) > 4.5);
    }

    #[test]
    fn the_flow_rate_of_a_parabola_with_a_step_below_is_exact() {
        let sets = ["solid=[{ low = [0, 0, 0], high = [1.0, 0.5, 0.125] }]".to_string()];
        let case = case("grid.cells=[8,16,1]", &sets);
        // Means of 24 (y - 1/2) (1 - y) over cells of 1/16.
        let mean = |y: f64| 24.0 * ((y - 0.5) * (1.0 - y) - 1.0 / (12.0 * 256.0));
        let velocity =
            field(&case, 3, |c, [_, y, _]| if c == 0 && y > 0.5 { mean(y) } else { 0.0 });
        let pressure = field(&case, 1, |_, _| 0.0);
        let flow = seen_with(&case, &velocity, &pressure);
        let line = Line { at: [4.5 / 8.0, 0.0, 0.0], ..ACROSS };
        let profile = flow.flux_profile(U, line);
        assert!((profile.total() - 0.5).abs() < 1e-14, "{}", profile.total());
        assert!((profile.integral(0.3, 0.75) - 0.25).abs() < 1e-13);
        assert_eq!(profile.value(0.25), 0.0);
        assert!((profile.value(0.75) - 1.5).abs() < 1e-12 && profile.value(0.5).abs() < 1e-12);
    }
}
