//! The polynomial through a few points of a line.

/// Weights of the polynomial through positions `x`, at `at`.
pub fn weights(x: &[f64], at: f64) -> Vec<f64> {
    let weight = |i: usize| {
        let others = x.iter().enumerate().filter(|(j, _)| *j != i);
        others.map(|(_, other)| (at - other) / (x[i] - other)).product()
    };
    (0..x.len()).map(weight).collect()
}

/// The `count` neighbouring positions around `at`, half on each side where the ends allow it.
pub fn window(x: &[f64], at: f64, count: usize) -> std::ops::Range<usize> {
    let above = x.partition_point(|x| *x < at);
    let start = above.saturating_sub(count / 2).min(x.len().saturating_sub(count));
    start..(start + count).min(x.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_shift_at_the_ends() {
        let x = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(window(&x, 2.5, 4), 1..5);
        assert_eq!(window(&x, 0.1, 4), 0..4);
        assert_eq!(window(&x, 9.0, 4), 2..6);
        assert_eq!(window(&x[..2], 0.5, 4), 0..2);
    }
}
