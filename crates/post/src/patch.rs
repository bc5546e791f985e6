//! A polynomial in x and y through a few nodes around a point, and its extremum.

use std::ops::Range;

use crate::interpolation::derivative_weights;

/// Values at the nodes of a small lattice, whose lines need not be equally far apart.
pub(crate) struct Patch {
    x: Vec<f64>,
    y: Vec<f64>,
    /// x fastest.
    values: Vec<f64>,
}

/// Value, gradient and second derivatives at a point: `f`, `[fx, fy]`, `[fxx, fxy, fyy]`.
pub(crate) struct Local {
    pub(crate) value: f64,
    pub(crate) gradient: [f64; 2],
    second: [f64; 3],
}

impl Patch {
    /// The nodes of the lines `i` and `j` of a lattice with a value at each node.
    pub(crate) fn of(
        x: &[f64],
        y: &[f64],
        i: Range<usize>,
        j: Range<usize>,
        value: impl Fn(usize, usize) -> f64,
    ) -> Self {
        let nodes = j.clone().flat_map(|j| i.clone().map(move |i| (i, j)));
        let values = nodes.map(|(i, j)| value(i, j)).collect();
        Self { x: x[i].to_vec(), y: y[j].to_vec(), values }
    }

    /// The polynomial at a point.
    pub(crate) fn at(&self, [x, y]: [f64; 2]) -> Local {
        let (wx, wy) = (derivative_weights(&self.x, x), derivative_weights(&self.y, y));
        let sum = |m: usize, n: usize| -> f64 {
            let rows = self.values.chunks(self.x.len()).zip(&wy[n]);
            let row = |values: &[f64]| -> f64 {
                values.iter().zip(&wx[m]).map(|(value, weight)| value * weight).sum()
            };
            rows.map(|(values, weight)| weight * row(values)).sum()
        };
        Local {
            value: sum(0, 0),
            gradient: [sum(1, 0), sum(0, 1)],
            second: [sum(2, 0), sum(1, 1), sum(0, 2)],
        }
    }

    /// Where the gradient vanishes, by Newton's method from a start; nothing if it leads farther
    /// than `reach` from there.
    pub(crate) fn stationary(&self, start: [f64; 2], reach: [f64; 2]) -> Option<[f64; 2]> {
        newton(start, reach, |point| {
            let Local { gradient, second: [xx, xy, yy], .. } = self.at(point);
            (gradient, [[xx, xy], [xy, yy]])
        })
    }
}

/// Where two polynomials vanish together, as [`Patch::stationary`].
pub(crate) fn common_zero(
    [first, second]: [&Patch; 2],
    start: [f64; 2],
    reach: [f64; 2],
) -> Option<[f64; 2]> {
    newton(start, reach, |point| {
        let (one, other) = (first.at(point), second.at(point));
        ([one.value, other.value], [one.gradient, other.gradient])
    })
}

/// The zero of a function of two values, given with its derivatives, `[value][direction]`.
fn newton(
    start: [f64; 2],
    reach: [f64; 2],
    function: impl Fn([f64; 2]) -> ([f64; 2], [[f64; 2]; 2]),
) -> Option<[f64; 2]> {
    let mut point = start;
    for _ in 0..30 {
        let ([f, g], [[fx, fy], [gx, gy]]) = function(point);
        let determinant = fx * gy - fy * gx;
        let step = [(fy * g - gy * f) / determinant, (gx * f - fx * g) / determinant];
        (0..2).for_each(|d| point[d] += step[d].clamp(-0.5 * reach[d], 0.5 * reach[d]));
        let near = (0..2).all(|d| (point[d] - start[d]).abs() <= reach[d]);
        if !near || !determinant.is_normal() {
            return None;
        }
        if (0..2).all(|d| step[d].abs() <= 1e-13 * reach[d]) {
            break;
        }
    }
    Some(point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::orders;

    /// A hill with its top at (0.52, 0.47), of no particular symmetry.
    fn hill(x: f64, y: f64) -> f64 {
        let (a, b) = (x - 0.52, y - 0.47);
        (-2.0 * a * a - 3.0 * b * b + a * b + a * a * a).exp()
    }

    #[test]
    fn the_top_of_a_hill_is_found_from_exact_values_to_fourth_order() {
        for (count, wanted) in [(5, [3.8, 4.8]), (3, [1.8, 2.8])] {
            let found: Vec<[f64; 2]> =
                [8, 16, 32, 64].into_iter().map(|n| worst(n, count)).collect();
            let place: Vec<f64> = found.iter().map(|errors| errors[0]).collect();
            let value: Vec<f64> = found.iter().map(|errors| errors[1]).collect();
            assert!(orders(&format!("{count} x {count}, place"), &place) > wanted[0]);
            assert!(orders(&format!("{count} x {count}, value"), &value) > wanted[1]);
        }
    }

    /// Largest errors of place and value over lattices that lie differently under the hill.
    fn worst(n: usize, count: usize) -> [f64; 2] {
        let mut worst = [0.0_f64; 2];
        for shift in [0.0, 0.13, 0.29, 0.5, 0.61, 0.83] {
            let line = |i: usize| (i as f64 + shift) / n as f64;
            let x: Vec<f64> = (0..n).map(line).collect();
            let near = |at: f64| {
                let middle = (at * n as f64 - shift).round() as usize;
                middle - count / 2..middle + count / 2 + 1
            };
            let patch = Patch::of(&x, &x, near(0.52), near(0.47), |i, j| hill(x[i], x[j]));
            let h = 1.0 / n as f64;
            let top = patch.stationary([0.52 + 0.3 * h, 0.47 - 0.4 * h], [h, h]).unwrap();
            let off = (top[0] - 0.52).hypot(top[1] - 0.47);
            worst = [worst[0].max(off), worst[1].max((patch.at(top).value - 1.0).abs())];
        }
        worst
    }

    #[test]
    fn a_plane_has_no_top() {
        let x = [0.0, 1.0, 2.0];
        let patch = Patch::of(&x, &x, 0..3, 0..3, |i, j| x[i] - 2.0 * x[j]);
        assert!(patch.stationary([1.0, 1.0], [1.0, 1.0]).is_none());
    }
}
