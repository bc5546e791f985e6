//! Steady convection by collocation: the program that the tables `heated-cavity-*` and `rayleigh-benard-*` of
//! `cases/references` come from. Nothing here is shared with the methods or with their post-processing.
//!
//! Lengths in `L`, velocities in `alpha / L`, `u = psi_y`, `v = -psi_x`, gravity along -y, `T` that of conduction and
//! `theta`:
//!
//! ```text
//! Pr lap lap psi = Ra Pr T_x + psi_y (lap psi)_x - psi_x (lap psi)_y
//!        lap T   = psi_y T_x - psi_x T_y
//! ```
//!
//! by Newton's method on all values of `psi` and `theta` at once. What is zero with its slope at both ends is
//! `(1 - s^2) q(s)` with `q` zero there: L. N. Trefethen, Spectral Methods in MATLAB, SIAM 2000, chapters 6 and 14.

mod lines;

use std::f64::consts::PI;

use lines::{Line, Matrix, half_waves, product};

const PRANDTL: f64 = 0.71;

/// Derivatives along a direction: first to fourth of `psi`, first and second of `theta`.
struct Along {
    psi: [Matrix; 4],
    theta: [Matrix; 2],
}

/// Solves a dense system by elimination with row pivots.
fn solve(mut a: Matrix, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap_or(k);
        a.swap(k, pivot);
        b.swap(k, pivot);
        let (above, below) = a.split_at_mut(k + 1);
        let row = &above[k];
        for (other, i) in below.iter_mut().zip(k + 1..) {
            let factor = other[k] / row[k];
            if factor != 0.0 {
                for (value, from) in other[k..].iter_mut().zip(&row[k..]) {
                    *value -= factor * from;
                }
                b[i] -= factor * b[k];
            }
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    b
}

/// A steady flow in a box of which one side is the unit interval.
pub(crate) struct Flow {
    line: Line,
    along: [Along; 2],
    /// The slope of the temperature of conduction in x and y.
    slope: [f64; 2],
    /// `psi` and `theta` at inner points, y fastest.
    psi: Vec<f64>,
    theta: Vec<f64>,
}

/// What the tables of the cavity hold.
#[derive(Debug)]
pub(crate) struct Found {
    /// Mean over the hot wall.
    pub(crate) nusselt: f64,
    /// Largest `u` over x = 1/2 and its y, in units of the free-fall velocity.
    pub(crate) u: (f64, f64),
    /// Largest `v` over y = 1/2 and its x.
    pub(crate) v: (f64, f64),
    /// Largest local Nusselt number of the hot wall and its y.
    pub(crate) largest: (f64, f64),
    /// Smallest.
    pub(crate) smallest: (f64, f64),
}

impl Flow {
    /// A square cavity, warm at x = 0 and cold at x = 1, on `n + 1` points in each direction, `n` even; at rest.
    pub(crate) fn cavity(n: usize) -> Self {
        let line = Line::new(n);
        let [x, y] = [&line.fixed, &line.free]
            .map(|theta| Along { psi: line.clamped.clone(), theta: theta.clone() });
        let cells = (n - 1) * (n - 1);
        let (psi, theta) = (vec![0.0; cells], vec![0.0; cells]);
        Self { line, along: [x, y], slope: [-1.0, 0.0], psi, theta }
    }

    /// A roll as wide as high between a warm plate at y = 0 and a cold one at y = 1, by `m` half waves and on `n + 1`
    /// points, `n` even; it turns.
    pub(crate) fn roll(m: usize, n: usize) -> Self {
        let line = Line::new(n);
        let (sines, cosines) = half_waves(m);
        let x = Along { psi: sines, theta: cosines };
        let y = Along { psi: line.clamped.clone(), theta: line.fixed.clone() };
        let at = |of: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
            let row = |i: usize| {
                let x = (i as f64 + 0.5) / m as f64;
                line.points[1..n].iter().map(move |&y| (x, y))
            };
            (0..m).flat_map(row).map(|(x, y)| of(x, y)).collect()
        };
        let psi = at(&|x, y| 64.0 * (y * (1.0 - y)).powi(2) * (PI * x).sin());
        let theta = at(&|x, y| -0.3 * (PI * y).sin() * (PI * x).cos());
        Self { line, along: [x, y], slope: [0.0, -1.0], psi, theta }
    }

    /// A matrix on lines of x, or of y, of a field.
    fn along(&self, direction: usize, matrix: &Matrix, field: &[f64]) -> Vec<f64> {
        let m = self.along[1].psi[0].len();
        let at = |i: usize, j: usize| -> f64 {
            let line = &matrix[[i, j][direction]];
            let value = |k: usize| if direction == 0 { field[k * m + j] } else { field[i * m + k] };
            line.iter().enumerate().map(|(k, factor)| factor * value(k)).sum()
        };
        (0..field.len()).map(|cell| at(cell / m, cell % m)).collect()
    }

    /// The steady flow at a Rayleigh number, from that at another one.
    pub(crate) fn solve(&mut self, rayleigh: f64) {
        for _ in 0..30 {
            let change = self.newton(rayleigh);
            if change < 1e-11 {
                return;
            }
        }
        panic!("Newton's method does not converge at Ra = {rayleigh:e}");
    }

    /// One step of Newton's method; returns the largest change, a share of the largest value.
    fn newton(&mut self, rayleigh: f64) -> f64 {
        let [x, y] = &self.along;
        let (nx, ny, cells) = (x.psi[0].len(), y.psi[0].len(), self.psi.len());
        let (psi, theta) = (&self.psi, &self.theta);
        let sum =
            |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a + b).collect() };
        let [psi_x, psi_y] = [0, 1].map(|d| self.along(d, &self.along[d].psi[0], psi));
        let bend = [0, 1].map(|d| self.along(d, &self.along[d].psi[1], psi));
        // The slope of the Laplacian in x and in y.
        let curl = [0, 1].map(|d| {
            let across = self.along(d, &self.along[d].psi[0], &bend[1 - d]);
            sum(&self.along(d, &self.along[d].psi[2], psi), &across)
        });
        let fourth = [0, 1].map(|d| self.along(d, &self.along[d].psi[3], psi));
        let mixed = self.along(0, &x.psi[1], &bend[1]);
        let slope = [0, 1].map(|d| {
            let all = self.along(d, &self.along[d].theta[0], theta);
            all.iter().map(|slope| slope + self.slope[d]).collect::<Vec<_>>()
        });
        let heat = [0, 1].map(|d| self.along(d, &self.along[d].theta[1], theta));
        let mut jacobian = vec![vec![0.0; 2 * cells]; 2 * cells];
        let mut residual = vec![0.0; 2 * cells];
        for cell in 0..cells {
            let (i, j) = (cell / ny, cell % ny);
            let (u, w) = (psi_y[cell], psi_x[cell]);
            let (row, below) = (cell, cells + cell);
            residual[row] = PRANDTL * (fourth[0][cell] + 2.0 * mixed[cell] + fourth[1][cell])
                - PRANDTL * rayleigh * slope[0][cell]
                - u * curl[0][cell]
                + w * curl[1][cell];
            residual[below] =
                heat[0][cell] + heat[1][cell] - u * slope[0][cell] + w * slope[1][cell];
            for k in 0..nx {
                let at = k * ny + j;
                let [p1, p2, p3, p4] = x.psi.each_ref().map(|matrix| matrix[i][k]);
                jacobian[row][at] += PRANDTL * p4 - u * p3 + curl[1][cell] * p1;
                jacobian[row][cells + at] -= PRANDTL * rayleigh * x.theta[0][i][k];
                jacobian[below][at] += slope[1][cell] * p1;
                jacobian[below][cells + at] += x.theta[1][i][k] - u * x.theta[0][i][k];
                for l in 0..ny {
                    let [q1, q2] = [0, 1].map(|order| y.psi[order][j][l]);
                    jacobian[row][k * ny + l] +=
                        2.0 * PRANDTL * p2 * q2 - u * p1 * q2 + w * p2 * q1;
                }
            }
            for l in 0..ny {
                let at = i * ny + l;
                let [p1, _, p3, p4] = y.psi.each_ref().map(|matrix| matrix[j][l]);
                jacobian[row][at] += PRANDTL * p4 + w * p3 - curl[0][cell] * p1;
                jacobian[below][at] -= slope[0][cell] * p1;
                jacobian[below][cells + at] += y.theta[1][j][l] + w * y.theta[0][j][l];
            }
        }
        let step = solve(jacobian, residual);
        let mut largest = 0.0_f64;
        for (field, steps) in [&mut self.psi, &mut self.theta].into_iter().zip(step.chunks(cells)) {
            field.iter_mut().zip(steps).for_each(|(value, step)| *value -= step);
            let most = |values: &[f64]| values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            largest = largest.max(most(steps) / most(field).max(f64::MIN_POSITIVE));
        }
        largest
    }

    /// The mean Nusselt number of the plate at y = 0 under a roll.
    pub(crate) fn nusselt(&self) -> f64 {
        let below = self.line.slope.last().expect("a line has points");
        let inner = &below[1..below.len() - 1];
        let rows = self.theta.chunks(inner.len());
        let mean = self.theta.len() as f64 / inner.len() as f64;
        let slope: f64 = rows.flat_map(|row| row.iter().zip(inner)).map(|(t, d)| t * d).sum();
        1.0 - slope / mean
    }

    /// What the tables hold of a cavity.
    pub(crate) fn found(&self, rayleigh: f64) -> Found {
        let (line, m) = (&self.line, self.line.points.len() - 2);
        let (middle, scale) = (m / 2, (rayleigh * PRANDTL).sqrt());
        let with_ends = |inner: Vec<f64>| [vec![0.0], inner, vec![0.0]].concat();
        let [v, u] = [0, 1].map(|d| self.along(d, &line.clamped[0], &self.psi));
        let u = with_ends((0..m).map(|j| u[middle * m + j] / scale).collect());
        let v = with_ends((0..m).map(|i| -v[i * m + middle] / scale).collect());
        // The hot wall is the last point in x.
        let hot = line.slope.last().expect("a line has points");
        let slope = |j: usize| (0..m).map(|i| hot[i + 1] * self.theta[i * m + j]).sum::<f64>();
        let inner: Matrix = (0..m).map(|j| vec![1.0 - slope(j)]).collect();
        let nusselt = product(&line.extension, &inner).concat();
        let upside_down: Vec<f64> = nusselt.iter().map(|value| -value).collect();
        let (smallest, place) = line.largest(&upside_down);
        Found {
            nusselt: line.integral(&nusselt),
            u: line.largest(&u),
            v: line.largest(&v),
            largest: line.largest(&nusselt),
            smallest: (-smallest, place),
        }
    }
}
