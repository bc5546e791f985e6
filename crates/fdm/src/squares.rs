//! Root mean squares that do not depend on the decomposition: squares are summed as integers in
//! units of the largest one's 2^-60; eq. (F13).

/// How many units of its square's root a number has, if `largest` is the largest magnitude.
pub(crate) fn unit(largest: f64) -> f64 {
    (1_u64 << 30) as f64 / largest
}

/// The square of a value in whole units.
pub(crate) fn square(value: f64, unit: f64) -> i64 {
    let scaled = (value * unit).round() as i64;
    scaled * scaled
}

/// Whether there is anything to sum: otherwise the largest magnitude is the root mean square.
pub(crate) fn can_be_summed(largest: f64) -> bool {
    largest != 0.0 && largest.is_finite()
}

/// The root mean square of so many values from the sum of their squares.
pub(crate) fn root(sum: i128, values: usize, unit: f64) -> f64 {
    (sum as f64 / values as f64).sqrt() / unit
}
