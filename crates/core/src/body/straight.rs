//! Boxes with their edges along the axes.

/// Distance of a point from a box, negative inside.
pub(super) fn distance(point: [f64; 3], low: [f64; 3], high: [f64; 3]) -> f64 {
    // How far beyond the nearer face in each direction, negative between both.
    let beyond: [f64; 3] = std::array::from_fn(|d| (low[d] - point[d]).max(point[d] - high[d]));
    let outside = beyond.iter().map(|x| x.max(0.0) * x.max(0.0)).sum::<f64>().sqrt();
    let inside = beyond.into_iter().fold(f64::NEG_INFINITY, f64::max).min(0.0);
    outside + inside
}

/// Where a straight line first meets a box, as a share of its length: where it enters the last of the three slabs, or
/// leaves the first.
pub(super) fn crossing(from: [f64; 3], to: [f64; 3], low: [f64; 3], high: [f64; 3]) -> Option<f64> {
    let [mut enters, mut leaves] = [f64::NEG_INFINITY, f64::INFINITY];
    for d in 0..3 {
        let along = to[d] - from[d];
        if along == 0.0 {
            if from[d] < low[d] || from[d] > high[d] {
                return None;
            }
            continue;
        }
        let [one, other] = [(low[d] - from[d]) / along, (high[d] - from[d]) / along];
        enters = enters.max(one.min(other));
        leaves = leaves.min(one.max(other));
    }
    let meets = enters <= leaves;
    [enters, leaves].into_iter().find(|t| meets && (0.0..=1.0).contains(t))
}
