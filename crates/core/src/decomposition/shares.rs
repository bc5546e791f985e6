//! Cells in proportion to weights.

use crate::error::{Error, Result};

/// Parts thinner than this serve some methods only, and those badly.
pub(super) const THINNEST: usize = 2;

/// Refuses weights that are not one positive number a rank.
///
/// # Errors
/// If they are not.
pub(super) fn check_weights(weights: &[f64], ranks: usize) -> Result<()> {
    let remedy = "give one positive number a rank";
    if weights.len() != ranks {
        let problem = format!("{} weights for {ranks} ranks", weights.len());
        return Err(Error::Ranks { problem, remedy: remedy.into() });
    }
    match weights.iter().find(|weight| !(weight.is_finite() && **weight > 0.0)) {
        Some(weight) => {
            let problem = format!("{weight} is not the weight of a rank");
            Err(Error::Ranks { problem, remedy: remedy.into() })
        }
        None => Ok(()),
    }
}

/// `n` cells shared in proportion to weights: each its share rounded down, and of the cells that
/// remain one to those with the largest remainders.
pub(super) fn widths(n: usize, weights: &[f64]) -> Vec<usize> {
    let parts = weights.len();
    let sum: f64 = weights.iter().sum();
    let shares: Vec<f64> = weights.iter().map(|weight| n as f64 * (weight / sum)).collect();
    let mut widths: Vec<usize> = shares.iter().map(|share| *share as usize).collect();
    let mut order: Vec<usize> = (0..parts).collect();
    // Shares that should be equal are so only up to rounding: coarser, ties go to the first.
    let remainder = |p: usize| ((shares[p] - widths[p] as f64) * 1e6).round() as i64;
    order.sort_by_key(|&p| std::cmp::Reverse(remainder(p)));
    let given: usize = widths.iter().sum();
    order.iter().take(n.saturating_sub(given)).for_each(|&p| widths[p] += 1);
    widen(&mut widths, if n >= THINNEST * parts { THINNEST } else { 1 });
    widths
}

/// Gives the thin parts cells of the widest ones until each has the fewest that are allowed.
fn widen(widths: &mut [usize], fewest: usize) {
    for p in 0..widths.len() {
        while widths[p] < fewest {
            let widest = (0..widths.len()).rev().max_by_key(|&q| widths[q]).unwrap_or(p);
            widths[widest] -= 1;
            widths[p] += 1;
        }
    }
}

/// Where parts of these widths begin, and where the last one ends.
pub(super) fn starts(widths: &[usize]) -> Vec<usize> {
    let ends = widths.iter().scan(0, |end, width| {
        *end += width;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::weights;
    use super::*;

    #[test]
    fn widths_follow_weights_within_a_cell() {
        for seed in 0..200 {
            let parts = 1 + seed as usize % 9;
            let n = 100 * parts + seed as usize;
            let weights = weights(parts, seed);
            let sum: f64 = weights.iter().sum();
            let widths = widths(n, &weights);
            assert_eq!(widths.iter().sum::<usize>(), n);
            for (width, weight) in widths.iter().zip(&weights) {
                let share = n as f64 * weight / sum;
                let thin = share < 3.0 || widths.contains(&THINNEST);
                assert!(thin || (*width as f64 - share).abs() < 1.0, "{widths:?} {weights:?}");
            }
        }
    }

    #[test]
    fn equal_weights_are_equal_parts_and_the_first_are_larger() {
        assert_eq!(widths(7, &[1.0; 3]), [3, 2, 2]);
        assert_eq!(widths(5, &[0.3; 2]), [3, 2]);
        assert_eq!(widths(10, &[3.0, 3.0, 3.0, 3.0]), [3, 3, 2, 2]);
        assert_eq!(widths(3, &[1.0, 1e9, 1.0]), [1, 1, 1]);
        assert_eq!(widths(16, &[20.0, 1e-3]), [14, 2]);
    }
}
