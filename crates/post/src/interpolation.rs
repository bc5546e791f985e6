//! Polynomials through a few points of a line.

pub(crate) use vortice_core::interpolation::weights;

/// A value at a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) x: f64,
    pub(crate) value: f64,
}

/// Weights of the value, the first and the second derivative at `at` of the polynomial through
/// positions `x`: B. Fornberg, Math. Comp. 51 (1988) 699-706.
pub(crate) fn derivative_weights(x: &[f64], at: f64) -> [Vec<f64>; 3] {
    let mut weights = [vec![0.0; x.len()], vec![0.0; x.len()], vec![0.0; x.len()]];
    weights[0][0] = 1.0;
    let mut before = 1.0;
    for i in 1..x.len() {
        let product: f64 = x[..i].iter().map(|other| x[i] - other).product();
        for m in (0..3).rev() {
            let lower = |weights: &[Vec<f64>; 3], j: usize| match m {
                0 => 0.0,
                _ => m as f64 * weights[m - 1][j],
            };
            let newest = lower(&weights, i - 1) - (x[i - 1] - at) * weights[m][i - 1];
            weights[m][i] = before / product * newest;
            for j in 0..i {
                let older = (x[i] - at) * weights[m][j] - lower(&weights, j);
                weights[m][j] = older / (x[i] - x[j]);
            }
        }
        before = product;
    }
    weights
}

/// The integral from the first to each node of the cubics through the four nodes around each gap:
/// fourth order.
pub(crate) fn running_integral(nodes: &[Node]) -> Vec<f64> {
    let mut sum = 0.0;
    let mut sums = vec![0.0; nodes.len()];
    for i in 1..nodes.len() {
        let (low, high) = (nodes[i - 1].x, nodes[i].x);
        let (middle, half) = (0.5 * (high + low), 0.5 * (high - low));
        let near = around(nodes, i - 1);
        // Two points of Gauss integrate a cubic exactly.
        let away = half / 3.0_f64.sqrt();
        sum += half * (interpolate(near, middle - away) + interpolate(near, middle + away));
        sums[i] = sum;
    }
    sums
}

/// The value at `at` of the polynomial through all nodes.
pub(crate) fn interpolate(nodes: &[Node], at: f64) -> f64 {
    // The weights of `weights`, without making room for them: it is done for every cell of a flow.
    let weight = |i: usize| -> f64 {
        let others = nodes.iter().enumerate().filter(|(j, _)| *j != i);
        others.map(|(_, other)| (at - other.x) / (nodes[i].x - other.x)).product()
    };
    nodes.iter().enumerate().map(|(i, node)| weight(i) * node.value).sum()
}

/// The four nodes around the gap between a node and the next.
fn around(nodes: &[Node], i: usize) -> &[Node] {
    let start = i.saturating_sub(1).min(nodes.len().saturating_sub(4));
    &nodes[start..(start + 4).min(nodes.len())]
}

/// The zero between two neighbours of opposite sign, of the cubic through the four nodes around
/// them: `nodes[i]` and `nodes[i + 1]`.
pub(crate) fn zero_between(nodes: &[Node], i: usize) -> f64 {
    let near = around(nodes, i);
    let (mut low, mut high) = (nodes[i].x, nodes[i + 1].x);
    let rising = nodes[i].value < nodes[i + 1].value;
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (interpolate(near, middle) < 0.0) == rising {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The largest value of the polynomial through the five nodes around the largest one.
///
/// The largest node itself if it is the first or last.
pub(crate) fn maximum(nodes: &[Node]) -> Option<Node> {
    let top = (0..nodes.len()).max_by(|a, b| nodes[*a].value.total_cmp(&nodes[*b].value))?;
    if top == 0 || top + 1 == nodes.len() {
        return Some(nodes[top]);
    }
    let start = top.saturating_sub(2).min(nodes.len().saturating_sub(5));
    let near = &nodes[start..(start + 5).min(nodes.len())];
    let value = |x: f64| interpolate(near, x);
    let (mut low, mut high) = (nodes[top - 1].x, nodes[top + 1].x);
    for _ in 0..60 {
        let third = (high - low) / 3.0;
        if value(low + third) < value(high - third) {
            low += third;
        } else {
            high -= third;
        }
    }
    let x = 0.5 * (low + high);
    Some(Node { x, value: value(x) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(x: &[f64], f: impl Fn(f64) -> f64) -> Vec<Node> {
        x.iter().map(|&x| Node { x, value: f(x) }).collect()
    }

    #[test]
    fn polynomials_are_met_exactly() {
        let cubic = |x: f64| 1.0 - 2.0 * x + 0.5 * x * x - 3.0 * x * x * x;
        let nodes = nodes(&[0.0, 0.5, 1.5, 2.5], cubic);
        assert!((interpolate(&nodes, 0.9) - cubic(0.9)).abs() < 1e-13);
    }

    #[test]
    fn derivatives_and_integrals_of_a_cubic_are_exact() {
        let x = [-0.5, 0.0, 1.0, 2.0, 2.5];
        let nodes = nodes(&x, |x| 1.0 - 2.0 * x + 0.5 * x * x - 3.0 * x * x * x);
        let derivative = |m: usize| -> f64 {
            let weights = &derivative_weights(&x, 0.7)[m];
            weights.iter().zip(&nodes).map(|(weight, node)| weight * node.value).sum()
        };
        assert!((derivative(0) - (1.0 - 1.4 + 0.245 - 1.029)).abs() < 1e-13);
        assert!((derivative(1) - (-2.0 + 0.7 - 4.41)).abs() < 1e-13);
        assert!((derivative(2) - (1.0 - 12.6)).abs() < 1e-12);
        let primitive = |x: f64| x - x * x + x.powi(3) / 6.0 - 0.75 * x.powi(4);
        let sums = running_integral(&nodes);
        for (x, sum) in x.iter().zip(sums) {
            assert!((sum - primitive(*x) + primitive(-0.5)).abs() < 1e-12);
        }
    }

    #[test]
    fn zeros_and_maxima_converge_with_high_order() {
        let errors = |n: usize| {
            let x: Vec<f64> = (0..=n).map(|i| 3.3 * i as f64 / n as f64).collect();
            let line = nodes(&x, f64::cos);
            let i = (0..n).find(|&i| line[i + 1].value < 0.0).unwrap();
            let zero = (zero_between(&line, i) - std::f64::consts::FRAC_PI_2).abs();
            let top = maximum(&nodes(&x, f64::sin)).unwrap();
            (zero, (top.value - 1.0).abs(), (top.x - std::f64::consts::FRAC_PI_2).abs())
        };
        let (coarse, fine) = (errors(8), errors(32));
        assert!(fine.0 < coarse.0 / 60.0 && fine.1 < coarse.1 / 60.0, "{coarse:?} {fine:?}");
        assert!(fine.2 < 1e-4, "{fine:?}");
    }
}
