//! Velocity and pressure of exact flows; docs/src/theory/exact.md.

use std::f64::consts::{PI, TAU};

use super::ExactFlow;
use crate::case::Case;

impl ExactFlow {
    /// The velocity in m/s that carries the flow along.
    fn mean_velocity(self, case: &Case) -> [f64; 3] {
        let speed = case.scale.velocity;
        if self == Self::MovingTaylorGreen { [speed, 0.5 * speed, 0.0] } else { [0.0; 3] }
    }

    /// Velocity in m/s at a point (m) and time (s).
    pub fn velocity(self, case: &Case, [x, y, z]: [f64; 3], time: f64) -> [f64; 3] {
        let [ax, ay, _] = case.grid.axes;
        let speed = case.scale.velocity;
        let eta = (y - ay.low()) / ay.length();
        match self {
            Self::TaylorGreen => {
                let (kx, ky) = (TAU / ax.length(), TAU / ay.length());
                let decay = (-case.viscosity * (kx * kx + ky * ky) * time).exp();
                let (px, py) = (kx * (x - ax.low()), ky * (y - ay.low()));
                let u = -speed * px.cos() * py.sin() * decay;
                let v = speed * kx / ky * px.sin() * py.cos() * decay;
                [u, v, 0.0]
            }
            Self::MovingTaylorGreen => {
                let mean = self.mean_velocity(case);
                let carried = [x - mean[0] * time, y - mean[1] * time, z];
                let u = Self::TaylorGreen.velocity(case, carried, time);
                std::array::from_fn(|d| mean[d] + u[d])
            }
            Self::Poiseuille => {
                let h = ay.length();
                let steady = case.force[0] * h * h / (2.0 * case.viscosity) * eta * (1.0 - eta);
                [steady, 0.0, 0.0]
            }
            Self::Couette => {
                [speed * start_up(eta, case.viscosity * time / ay.length().powi(2)), 0.0, 0.0]
            }
            Self::Formula => case.exact.as_ref().map_or([f64::NAN; 3], |formulas| {
                formulas.each_ref().map(|formula| formula.value([x, y, z], time))
            }),
        }
    }

    /// Pressure in Pa at a point (m) and time (s), with mean zero. Zero for the flow of a case's own formulas.
    pub fn pressure(self, case: &Case, [x, y, _]: [f64; 3], time: f64) -> f64 {
        if !matches!(self, Self::TaylorGreen | Self::MovingTaylorGreen) {
            return 0.0;
        }
        let mean = self.mean_velocity(case);
        let (x, y) = (x - mean[0] * time, y - mean[1] * time);
        let [ax, ay, _] = case.grid.axes;
        let (kx, ky) = (TAU / ax.length(), TAU / ay.length());
        let decay = (-case.viscosity * (kx * kx + ky * ky) * time).exp();
        let (px, py) = (kx * (x - ax.low()), ky * (y - ay.low()));
        let amplitude = case.density * (case.scale.velocity * decay).powi(2) / 4.0;
        -amplitude * ((2.0 * px).cos() + (kx / ky).powi(2) * (2.0 * py).cos())
    }
}

/// Velocity of Couette flow started from rest, as a share of the wall's, at height `eta` (of the
/// gap) and time `tau` = nu t / h2; eq. (E3). At rest for `tau` = 0.
fn start_up(eta: f64, tau: f64) -> f64 {
    if tau <= 0.0 {
        return if eta >= 1.0 { 1.0 } else { 0.0 };
    }
    let terms = (1..).map(f64::from).map(|n| {
        let decay = (-(n * PI).powi(2) * tau).exp();
        (decay, if n % 2.0 == 0.0 { decay } else { -decay } / n * (n * PI * eta).sin())
    });
    let sum: f64 = terms.take_while(|(decay, _)| *decay > 1e-17).map(|(_, term)| term).sum();
    eta + 2.0 / PI * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of the momentum equation in x and y, by central differences.
    #[test]
    fn moving_vortices_satisfy_the_momentum_equation() {
        let text = "title = \"moving\"\ngrid = { cells = [8, 8, 1], size = [1.0, 1.5, 0.1] }\n\
                    fluid = { density = 1.0, viscosity = 0.02 }\n\
                    initial = { flow = \"moving-taylor-green\" }\nrun = { until = 1.0 }\n\
                    boundary = { x-low = \"periodic\", x-high = \"periodic\", y-low = \"periodic\", \
                    y-high = \"periodic\", z-low = \"periodic\", z-high = \"periodic\" }\n";
        let case = Case::parse(text, "moving").unwrap_or_else(|error| panic!("{error}"));
        let (flow, [x, y], t, h) = (ExactFlow::MovingTaylorGreen, [0.3, 0.4], 0.2, 1e-4);
        let u = |dx, dy, dt| flow.velocity(&case, [x + dx, y + dy, 0.0], t + dt);
        let p = |dx, dy| flow.pressure(&case, [x + dx, y + dy, 0.0], t);
        let pressure = [p(h, 0.0) - p(-h, 0.0), p(0.0, h) - p(0.0, -h)];
        let here = u(0.0, 0.0, 0.0);
        for d in 0..2 {
            let in_time = (u(0.0, 0.0, h)[d] - u(0.0, 0.0, -h)[d]) / (2.0 * h);
            let (east, west) = (u(h, 0.0, 0.0)[d], u(-h, 0.0, 0.0)[d]);
            let (north, south) = (u(0.0, h, 0.0)[d], u(0.0, -h, 0.0)[d]);
            let carried = (here[0] * (east - west) + here[1] * (north - south)) / (2.0 * h);
            let curvature = (east + west + north + south - 4.0 * here[d]) / (h * h);
            let left = in_time + carried + pressure[d] / (2.0 * h) - case.viscosity * curvature;
            assert!(left.abs() < 1e-5, "{d}: {left} of {carried}");
            assert!(carried.abs() > 0.1);
        }
    }

    #[test]
    fn couette_starts_at_rest_and_becomes_linear() {
        assert!(start_up(0.5, 1e-4).abs() < 1e-12);
        assert!((start_up(0.3, 10.0) - 0.3).abs() < 1e-15);
        // Method of images: erfc series at eta = 0.9, tau = 0.01 gives erfc(0.5) - erfc(9.5) + ...
        assert!((start_up(0.9, 0.01) - 0.479_500_122_186_953_5).abs() < 1e-12);
    }
}
