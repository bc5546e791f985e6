//! The heated cavity by Chebyshev collocation: the program that the tables `heated-cavity-*` of `cases/references` come
//! from. Nothing here is shared with the methods or with their post-processing.
//!
//! Lengths in `L`, velocities in `alpha / L`, `u = psi_y`, `v = -psi_x`, `T = 1 - x + theta`, gravity along -y:
//!
//! ```text
//! Pr lap lap psi = Ra Pr T_x + psi_y (lap psi)_x - psi_x (lap psi)_y       psi = psi_n = 0 on all walls
//!        lap T   = psi_y T_x - psi_x T_y                                   theta = 0 at x = 0, 1; theta_y = 0 at y = 0, 1
//! ```
//!
//! by Newton's method on all values of `psi` and `theta` at once. What is zero with its slope at both ends is
//! `(1 - s^2) q(s)` with `q` zero there: L. N. Trefethen, Spectral Methods in MATLAB, SIAM 2000, chapters 6 and 14.

use std::f64::consts::PI;

const PRANDTL: f64 = 0.71;

/// Rows of a dense matrix.
type Matrix = Vec<Vec<f64>>;

/// Differentiation on the inner points of a line, as a matrix each.
struct Line {
    /// All points, from 1 to 0.
    points: Vec<f64>,
    /// First derivative of a polynomial by its values at all points.
    slope: Matrix,
    /// First to fourth derivative of what is zero with its slope at both ends.
    clamped: [Matrix; 4],
    /// First and second derivative of what is zero at both ends.
    fixed: [Matrix; 2],
    /// First and second derivative of what has no slope at both ends, by its values at inner points.
    free: [Matrix; 2],
    /// All values of that by those at inner points.
    extension: Matrix,
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = b[0].len();
    let row = |row: &Vec<f64>| {
        let mut sums = vec![0.0; columns];
        for (factor, values) in row.iter().zip(b) {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += factor * value;
            }
        }
        sums
    };
    a.iter().map(row).collect()
}

impl Line {
    /// With `n` intervals on the unit interval, `n` even.
    fn new(n: usize) -> Self {
        let s: Vec<f64> = (0..=n).map(|i| (PI * i as f64 / n as f64).cos()).collect();
        let weight = |i: usize| {
            (if i == 0 || i == n { 2.0 } else { 1.0 })
                * (if i.is_multiple_of(2) { 1.0 } else { -1.0 })
        };
        let mut d = vec![vec![0.0; n + 1]; n + 1];
        for i in 0..=n {
            for j in (0..=n).filter(|&j| j != i) {
                d[i][j] = weight(i) / weight(j) / (s[i] - s[j]);
                d[i][i] -= d[i][j];
            }
        }
        let powers: Vec<Matrix> =
            std::iter::successors(Some(d.clone()), |last| Some(product(&d, last)))
                .take(4)
                .collect();
        let scaled = |order: i32, value: &dyn Fn(usize, usize) -> f64| -> Matrix {
            let of_row = |i| (1..n).map(|j| 2.0_f64.powi(order) * value(i, j)).collect();
            (1..n).map(of_row).collect()
        };
        // The k-th derivative of (1 - s^2) q by Leibniz; the derivative of order zero is the identity.
        let clamped = std::array::from_fn(|order| {
            let k = order as f64 + 1.0;
            let q = |down: usize, i: usize, j: usize| match (order + 1).checked_sub(down) {
                Some(0) => f64::from(i == j),
                Some(order) => powers[order - 1][i][j],
                None => 0.0,
            };
            scaled(order as i32 + 1, &|i, j| {
                let all = (1.0 - s[i] * s[i]) * q(0, i, j)
                    - 2.0 * k * s[i] * q(1, i, j)
                    - k * (k - 1.0) * q(2, i, j);
                all / (1.0 - s[j] * s[j])
            })
        });
        let fixed = [0, 1].map(|order| scaled(order as i32 + 1, &|i, j| powers[order][i][j]));
        // No slope at both ends gives the two values there.
        let [[a, b], [c, e]] = [[d[0][0], d[0][n]], [d[n][0], d[n][n]]];
        let determinant = a * e - b * c;
        let ends = |j: usize| {
            let (p, q) = (-d[0][j], -d[n][j]);
            [(e * p - b * q) / determinant, (a * q - c * p) / determinant]
        };
        let extension: Matrix = (0..=n)
            .map(|i| {
                let value = |j: usize| match i {
                    0 => ends(j)[0],
                    i if i == n => ends(j)[1],
                    i => f64::from(i == j),
                };
                (1..n).map(value).collect()
            })
            .collect();
        let free = [0, 1].map(|order| {
            let all = product(&powers[order], &extension);
            scaled(order as i32 + 1, &|i, j| all[i][j - 1])
        });
        let slope = d.iter().map(|row| row.iter().map(|x| 2.0 * x).collect()).collect();
        let points = s.iter().map(|s| 0.5 * (1.0 + s)).collect();
        Self { points, slope, clamped, fixed, free, extension }
    }

    /// The polynomial through values at all points, elsewhere.
    fn at(&self, values: &[f64], x: f64) -> f64 {
        let n = self.points.len() - 1;
        let (mut above, mut below) = (0.0, 0.0);
        for (i, (point, value)) in self.points.iter().zip(values).enumerate() {
            if (x - point).abs() < 1e-14 {
                return *value;
            }
            let half = if i == 0 || i == n { 0.5 } else { 1.0 };
            let weight = half * (if i.is_multiple_of(2) { 1.0 } else { -1.0 }) / (x - point);
            above += weight * value;
            below += weight;
        }
        above / below
    }

    /// The largest value of a polynomial, and its place.
    fn largest(&self, values: &[f64]) -> (f64, f64) {
        let (mut best, mut width) = (0.5, 0.5);
        while width > 1e-12 {
            let near = (0..=200).map(|i| best + width * (f64::from(i) / 100.0 - 1.0));
            let near = near.filter(|x| (0.0..=1.0).contains(x));
            let value = |x: &f64| self.at(values, *x);
            best = near.max_by(|x, y| value(x).total_cmp(&value(y))).unwrap_or(best);
            width /= 50.0;
        }
        (self.at(values, best), best)
    }

    /// The integral of a polynomial by the weights of Clenshaw and Curtis.
    fn integral(&self, values: &[f64]) -> f64 {
        let n = self.points.len() - 1;
        let weight = |i: usize| {
            let angle = PI * i as f64 / n as f64;
            let terms = (1..=n / 2).map(|k| {
                let share = if 2 * k == n { 1.0 } else { 2.0 };
                share * (2.0 * k as f64 * angle).cos() / (1.0 - 4.0 * (k * k) as f64)
            });
            let ends = if i == 0 || i == n { 1.0 } else { 2.0 };
            0.5 * ends / n as f64 * (1.0 + terms.sum::<f64>())
        };
        values.iter().enumerate().map(|(i, value)| weight(i) * value).sum()
    }
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

/// A steady flow.
pub(crate) struct Flow {
    line: Line,
    /// `psi` and `theta` at inner points, y fastest.
    psi: Vec<f64>,
    theta: Vec<f64>,
}

/// What the tables hold.
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
    /// At rest, on `n + 1` points in each direction, `n` even.
    pub(crate) fn at_rest(n: usize) -> Self {
        let cells = (n - 1) * (n - 1);
        Self { line: Line::new(n), psi: vec![0.0; cells], theta: vec![0.0; cells] }
    }

    /// A matrix on lines of x, or of y, of a field.
    fn along(&self, direction: usize, matrix: &Matrix, field: &[f64]) -> Vec<f64> {
        let m = matrix[0].len();
        let at = |i: usize, j: usize| {
            let sum = |k: usize| match direction {
                0 => matrix[i][k] * field[k * m + j],
                _ => matrix[j][k] * field[i * m + k],
            };
            (0..m).map(sum).sum()
        };
        (0..m * m).map(|cell| at(cell / m, cell % m)).collect()
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
        let Line { clamped: [p1, p2, p3, p4], fixed: [x1, x2], free: [y1, y2], .. } = &self.line;
        let m = p1.len();
        let (psi, theta) = (&self.psi, &self.theta);
        let [psi_x, psi_y] = [0, 1].map(|d| self.along(d, p1, psi));
        let bend_x = self.along(0, p2, psi);
        let bend_y = self.along(1, p2, psi);
        let sum = |a: Vec<f64>, b: Vec<f64>| -> Vec<f64> {
            a.iter().zip(&b).map(|(a, b)| a + b).collect()
        };
        let curl_x = sum(self.along(0, p3, psi), self.along(0, p1, &bend_y));
        let curl_y = sum(self.along(1, p3, psi), self.along(1, p1, &bend_x));
        let t_x: Vec<f64> = self.along(0, x1, theta).iter().map(|slope| slope - 1.0).collect();
        let t_y = self.along(1, y1, theta);
        let bend = sum(self.along(0, x2, theta), self.along(1, y2, theta));
        let fourth = sum(
            sum(self.along(0, p4, psi), self.along(1, p4, psi)),
            self.along(0, p2, &bend_y).iter().map(|value| 2.0 * value).collect(),
        );
        let mut jacobian = vec![vec![0.0; 2 * m * m]; 2 * m * m];
        let mut residual = vec![0.0; 2 * m * m];
        for cell in 0..m * m {
            let (i, j) = (cell / m, cell % m);
            let (below, heat) = (cell, m * m + cell);
            residual[below] = PRANDTL * (fourth[cell] - rayleigh * t_x[cell])
                - psi_y[cell] * curl_x[cell]
                + psi_x[cell] * curl_y[cell];
            residual[heat] = bend[cell] - psi_y[cell] * t_x[cell] + psi_x[cell] * t_y[cell];
            for k in 0..m {
                let (x, y) = (k * m + j, i * m + k);
                jacobian[below][x] +=
                    PRANDTL * p4[i][k] - psi_y[cell] * p3[i][k] + curl_y[cell] * p1[i][k];
                jacobian[below][y] +=
                    PRANDTL * p4[j][k] + psi_x[cell] * p3[j][k] - curl_x[cell] * p1[j][k];
                for l in 0..m {
                    jacobian[below][k * m + l] += 2.0 * PRANDTL * p2[i][k] * p2[j][l]
                        - psi_y[cell] * p1[i][k] * p2[j][l]
                        + psi_x[cell] * p2[i][k] * p1[j][l];
                }
                jacobian[below][m * m + x] -= PRANDTL * rayleigh * x1[i][k];
                jacobian[heat][x] += t_y[cell] * p1[i][k];
                jacobian[heat][y] -= t_x[cell] * p1[j][k];
                jacobian[heat][m * m + x] += x2[i][k] - psi_y[cell] * x1[i][k];
                jacobian[heat][m * m + y] += y2[j][k] + psi_x[cell] * y1[j][k];
            }
        }
        let step = solve(jacobian, residual);
        let mut largest = 0.0_f64;
        for (field, steps) in [&mut self.psi, &mut self.theta].into_iter().zip(step.chunks(m * m)) {
            field.iter_mut().zip(steps).for_each(|(value, step)| *value -= step);
            let most = |values: &[f64]| values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            largest = largest.max(most(steps) / most(field).max(f64::MIN_POSITIVE));
        }
        largest
    }

    /// What the tables hold of it.
    pub(crate) fn found(&self, rayleigh: f64) -> Found {
        let (line, m) = (&self.line, self.line.points.len() - 2);
        let (middle, scale) = (m / 2, (rayleigh * PRANDTL).sqrt());
        let with_ends = |inner: Vec<f64>| [vec![0.0], inner, vec![0.0]].concat();
        let [v, u] = [0, 1].map(|d| self.along(d, &line.clamped[0], &self.psi));
        let u = with_ends((0..m).map(|j| u[middle * m + j] / scale).collect());
        let v = with_ends((0..m).map(|i| -v[i * m + middle] / scale).collect());
        // The hot wall is the last point in x.
        let hot = line.slope.last().expect("a line has points");
        let inner: Matrix = (0..m)
            .map(|j| vec![1.0 - (0..m).map(|i| hot[i + 1] * self.theta[i * m + j]).sum::<f64>()])
            .collect();
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
