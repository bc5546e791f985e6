//! Velocities at an end of the box that formulas of place and time or tables over time give.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::expression::Expression;
use crate::grid::Grid;

/// Points of a face along each of its directions at which its largest velocity is looked for: the middle and both
/// ends are among them.
const POINTS: usize = 33;

/// Times of a run at which it is looked for; as many more lie between them without order, so that no period of a
/// formula hides from them.
const TIMES: usize = 257;

/// Share of 1 by which times without order follow each other: the golden section.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Places in an interval from 0 to 1 and weights of Gauss' formula, exact to the fifth degree.
const GAUSS: [(f64, f64); 3] = [
    (0.112_701_665_379_258_31, 5.0 / 18.0),
    (0.5, 8.0 / 18.0),
    (0.887_298_334_620_741_7, 5.0 / 18.0),
];

/// The velocity on a face of the box, by formulas or by a table over time. It knows the time that it is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct VelocityFormula {
    components: Arc<[Expression; 3]>,
    /// The key that gives it.
    key: Arc<str>,
    /// The direction across the face, and its coordinate in that in m.
    direction: usize,
    at: f64,
    /// Lower and upper end of the box in m.
    ends: [[f64; 3]; 2],
    /// Directions in which the box goes on.
    endless: [bool; 3],
    /// Directions in which nothing varies.
    flat: [bool; 3],
    /// In s.
    time: f64,
    /// What is added across the face, in m/s.
    correction: f64,
    largest: [f64; 3],
    speed: f64,
}

impl VelocityFormula {
    /// The velocity at the time 0 on the face across `direction` at the coordinate `at` (m), by the key `key` of the
    /// case; its largest values are looked for until `until`, in s.
    ///
    /// # Errors
    /// If it is not a number somewhere: the component, and what is wrong with it.
    pub(crate) fn new(
        components: [Expression; 3],
        key: &str,
        (direction, at): (usize, f64),
        grid: &Grid,
        periodic: [bool; 3],
        until: f64,
    ) -> Result<Self, (usize, String)> {
        let mut formula = Self {
            components: Arc::new(components),
            key: key.into(),
            direction,
            at,
            ends: [grid.axes.map(|axis| axis.low()), grid.axes.map(|axis| axis.high())],
            endless: periodic,
            flat: [false, false, grid.is_plane()],
            time: 0.0,
            correction: 0.0,
            largest: [0.0; 3],
            speed: 0.0,
        };
        formula.look_for_largest(until)?;
        Ok(formula)
    }

    /// The three formulas.
    pub fn components(&self) -> &[Expression; 3] {
        &self.components
    }

    /// Whether it changes with time.
    pub fn changes(&self) -> bool {
        self.components.iter().any(Expression::changes)
    }

    /// From now on the velocity at this time in s.
    pub(crate) fn set_time(&mut self, time: f64) {
        self.time = time;
    }

    /// From now on this velocity in m/s is added across the face.
    pub(crate) fn set_correction(&mut self, correction: f64) {
        self.correction = correction;
    }

    /// Largest magnitude of each component in m/s, anywhere on the face at any time of the run.
    pub fn largest(&self) -> [f64; 3] {
        self.largest
    }

    /// Largest speed in m/s, anywhere on the face at any time of the run.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Velocity in m/s at a point (m) of the face.
    pub fn value(&self, point: [f64; 3]) -> [f64; 3] {
        let point = std::array::from_fn(|d| match d {
            _ if d == self.direction => self.at,
            _ if self.flat[d] => 0.5 * (self.ends[0][d] + self.ends[1][d]),
            _ if self.endless[d] => point[d],
            _ => point[d].clamp(self.ends[0][d], self.ends[1][d]),
        });
        let mut velocity = self.components.each_ref().map(|one| one.value(point, self.time));
        velocity[self.direction] += self.correction;
        velocity
    }

    /// Mean velocity in m/s over a patch of the face (corners in m), by 3 x 3 points of Gauss; beyond the ends of the
    /// face goes on what is at its rim.
    pub fn average(&self, low: [f64; 3], high: [f64; 3]) -> [f64; 3] {
        let nodes = [0, 1, 2].map(|d| self.nodes(d, low[d], high[d]));
        let constant = self.components.iter().all(|formula| !formula.varies());
        let first = self.value(nodes.each_ref().map(|nodes| nodes[0].0));
        if constant {
            return first;
        }
        let mut sum = [0.0; 3];
        for &(z, weight_z) in &nodes[2] {
            for &(y, weight_y) in &nodes[1] {
                for &(x, weight_x) in &nodes[0] {
                    let (u, weight) = (self.value([x, y, z]), weight_x * weight_y * weight_z);
                    (0..3).for_each(|c| sum[c] += weight * u[c]);
                }
            }
        }
        // Weights add up to one but for rounding, and a constant is what it is.
        std::array::from_fn(|c| if self.components[c].varies() { sum[c] } else { first[c] })
    }

    /// Places in m and weights of a mean over an interval.
    fn nodes(&self, d: usize, low: f64, high: f64) -> Vec<(f64, f64)> {
        if d == self.direction || self.flat[d] || high <= low {
            return vec![(low, 1.0)];
        }
        let inside = |x: f64| match self.endless[d] {
            true => x,
            false => x.clamp(self.ends[0][d], self.ends[1][d]),
        };
        let [from, to] = [low, high].map(inside);
        let share = |width: f64| width / (high - low);
        let gauss = GAUSS.map(|(at, weight)| (from + at * (to - from), weight * share(to - from)));
        let rims = [(low, share(from - low)), (high, share(high - to))];
        gauss.into_iter().chain(rims).filter(|(_, weight)| *weight > 0.0).collect()
    }

    /// Places at which formulas are tried: along each direction of the face, the rim among them.
    fn points(&self) -> Vec<[f64; 3]> {
        let varies = self.components.iter().any(Expression::varies);
        let along = |d: usize| -> Vec<f64> {
            let [low, high] = self.ends.map(|end| end[d]);
            if d == self.direction {
                return vec![self.at];
            }
            let count = if self.flat[d] || !varies { 1 } else { POINTS };
            let share = |n: usize| n as f64 / (count.max(2) - 1) as f64;
            (0..count).map(|n| low + share(n) * (high - low)).collect()
        };
        let [x, y, z] = [0, 1, 2].map(along);
        let rows = z.iter().flat_map(|&z| y.iter().map(move |&y| (y, z)));
        rows.flat_map(|(y, z)| x.iter().map(move |&x| [x, y, z])).collect()
    }

    /// Times from 0 to `until` at which formulas are tried.
    fn times(&self, until: f64) -> Vec<f64> {
        if !self.changes() {
            return vec![0.0];
        }
        let even = (0..TIMES).map(|n| n as f64 / (TIMES - 1) as f64);
        let uneven = (1..TIMES).map(|n| (n as f64 * GOLDEN).fract());
        let knots = self.components.iter().flat_map(Expression::knots);
        let knots = knots.filter(|&time| time <= until);
        even.chain(uneven).map(|share| share * until).chain(knots).collect()
    }

    fn look_for_largest(&mut self, until: f64) -> Result<(), (usize, String)> {
        let points = self.points();
        for time in self.times(until) {
            self.time = time;
            for &point in &points {
                let u = self.value(point);
                if let Some(c) = (0..3).find(|&c| !u[c].is_finite()) {
                    let formula = self.components[c].text();
                    let place = self.place(point);
                    return Err((c, format!("`{formula}` is {} at {place}, t = {time} s", u[c])));
                }
                (0..3).for_each(|c| self.largest[c] = self.largest[c].max(u[c].abs()));
                self.speed = self.speed.max(u.iter().map(|u| u * u).sum::<f64>().sqrt());
            }
        }
        self.time = 0.0;
        Ok(())
    }

    /// "x = 0 m, y = 0.5 m".
    fn place(&self, point: [f64; 3]) -> String {
        let shown = (0..3).filter(|&d| !self.flat[d]);
        let shown = shown.map(|d| format!("{} = {} m", ["x", "y", "z"][d], point[d]));
        shown.collect::<Vec<_>>().join(", ")
    }

    /// Refuses a mean over a patch of the face (corners in m) that is no number.
    ///
    /// # Errors
    /// If a component of `velocity` is not finite; names the formula, the place and the time.
    pub(crate) fn check(&self, velocity: [f64; 3], low: [f64; 3], high: [f64; 3]) -> Result<()> {
        let Some(c) = (0..3).find(|&c| !velocity[c].is_finite()) else { return Ok(()) };
        let middle = std::array::from_fn(|d| {
            if d == self.direction { self.at } else { 0.5 * (low[d] + high[d]) }
        });
        let (formula, place, time) = (self.components[c].text(), self.place(middle), self.time);
        let problem = format!("`{formula}` is {} near {place}, t = {time} s", velocity[c]);
        Err(Error::case(&*self.key, problem, NOT_EVERYWHERE))
    }
}

/// What to do about a formula that is no number somewhere.
pub(crate) const NOT_EVERYWHERE: &str =
    "write a formula that is a number on the whole face at all times of the run";

#[cfg(test)]
mod tests {
    use super::*;

    fn formula(texts: [&str; 3], cells: [usize; 3]) -> Result<VelocityFormula, (usize, String)> {
        let grid = Grid::uniform(cells, [2.0, 0.5, 1.0], [0.0, 1.0, 0.0]);
        let components = texts.map(|text| Expression::parse(text).expect("a formula"));
        VelocityFormula::new(components, "u", (0, 0.0), &grid, [false, false, true], 8.0)
    }

    #[test]
    fn a_mean_is_exact_to_the_fifth_degree_and_ends_at_the_rim() {
        let u = formula(["(y - 1)^5", "2.5", "3*z^2 + y*0"], [4, 4, 4]).expect("a velocity");
        let mean = u.average([0.0, 1.1, 0.25], [0.0, 1.3, 0.75]);
        let exact = [(0.3_f64.powi(6) - 0.1_f64.powi(6)) / 6.0 / 0.2, 2.5];
        assert!((mean[0] - exact[0]).abs() < 1e-17 && mean[1] == exact[1], "{mean:?}");
        assert!((mean[2] - (0.75_f64.powi(3) - 0.25_f64.powi(3)) / 0.5).abs() < 1e-15, "{mean:?}");
        // Half of it beyond the rim.
        let mean = u.average([0.0, 1.4, 0.0], [0.0, 1.6, 1.0]);
        let exact = 0.5 * (0.5_f64.powi(6) - 0.4_f64.powi(6)) / 6.0 / 0.1 + 0.5 * 0.5_f64.powi(5);
        assert!((mean[0] - exact).abs() < 1e-16 && mean[1] == 2.5, "{mean:?}");
    }

    #[test]
    fn the_largest_velocity_is_found_on_the_face_and_in_time() {
        let peak = "24*(y - 1)*(1.5 - y)*sin(pi*t/8)";
        let mut u = formula([peak, "0.5*cos(64*pi*t)", "0"], [4, 4, 1]).expect("a velocity");
        assert!((u.largest()[0] - 1.5).abs() < 1e-12 && u.changes(), "{:?}", u.largest());
        assert!((u.largest()[1] - 0.5).abs() < 1e-12 && u.speed() >= 1.5);
        // Zero at all evenly spread times.
        let hidden = formula(["sin(32*pi*t)", "0", "0"], [4, 4, 1]).expect("a velocity");
        assert!(hidden.speed() > 0.99, "{}", hidden.speed());
        assert_eq!(u.value([0.0, 1.25, 0.0])[0], 0.0);
        u.set_time(4.0);
        assert!((u.value([0.0, 1.25, 0.0])[0] - 1.5).abs() < 1e-15);
    }

    #[test]
    fn what_is_no_number_is_refused_with_place_and_time() {
        let error = formula(["1/t", "0", "0"], [4, 4, 1]).expect_err("no number at the start");
        assert_eq!(error, (0, "`1/t` is inf at x = 0 m, y = 1 m, t = 0 s".into()));
        let error = formula(["1", "sqrt(y - 1.25)", "0"], [4, 4, 1]).expect_err("no number below");
        assert_eq!(error, (1, "`sqrt(y - 1.25)` is NaN at x = 0 m, y = 1 m, t = 0 s".into()));
        let error = formula(["1", "0", "1/(4 - t)"], [4, 4, 1]).expect_err("no number later");
        assert!(error.1.ends_with("t = 4 s"), "{error:?}");
    }
}
