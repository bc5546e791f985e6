//! Derivatives along a line as dense matrices: polynomials by their values at Chebyshev's points, and sines and cosines.

use std::f64::consts::PI;

/// Rows of a dense matrix.
pub(super) type Matrix = Vec<Vec<f64>>;

/// Points of Chebyshev on the unit interval, and derivatives at the inner ones as matrices.
pub(super) struct Line {
    /// All points, from 1 to 0.
    pub(super) points: Vec<f64>,
    /// First derivative of a polynomial by its values at all points.
    pub(super) slope: Matrix,
    /// First to fourth derivative of what is zero with its slope at both ends.
    pub(super) clamped: [Matrix; 4],
    /// First and second derivative of what is zero at both ends.
    pub(super) fixed: [Matrix; 2],
    /// First and second derivative of what has no slope at both ends, by its values at inner points.
    pub(super) free: [Matrix; 2],
    /// All values of that by those at inner points.
    pub(super) extension: Matrix,
}

pub(super) fn product(a: &Matrix, b: &Matrix) -> Matrix {
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
    pub(super) fn new(n: usize) -> Self {
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
    pub(super) fn largest(&self, values: &[f64]) -> (f64, f64) {
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
    pub(super) fn integral(&self, values: &[f64]) -> f64 {
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

/// First to fourth derivative of sines and first and second of cosines of half waves on the unit interval, at the middles
/// of `m` parts.
pub(super) fn half_waves(m: usize) -> ([Matrix; 4], [Matrix; 2]) {
    let angle = |k: usize, i: usize| PI * k as f64 * (i as f64 + 0.5) / m as f64;
    let sum = |modes: std::ops::RangeInclusive<usize>,
               term: &dyn Fn(usize, usize, usize) -> f64|
     -> Matrix {
        let weight = |k: usize| if k == 0 || k == m { 1.0 } else { 2.0 } / m as f64;
        let value = |i, j| modes.clone().map(|k| weight(k) * term(k, i, j)).sum();
        (0..m).map(|i| (0..m).map(|j| value(i, j)).collect()).collect()
    };
    // A derivative takes the wave a quarter of its length back.
    let wave = |order: usize, k: usize, i: usize, begin: f64| {
        (PI * k as f64).powi(order as i32) * (angle(k, i) + 0.5 * PI * (order as f64 + begin)).sin()
    };
    let sines = std::array::from_fn(|order| {
        sum(1..=m, &|k, i, j| wave(order + 1, k, i, 0.0) * angle(k, j).sin())
    });
    let cosines = std::array::from_fn(|order| {
        sum(0..=m - 1, &|k, i, j| wave(order + 1, k, i, 1.0) * angle(k, j).cos())
    });
    (sines, cosines)
}
