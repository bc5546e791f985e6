//! What a value on several grids says of the value that they converge to.

use std::fmt;

use serde::Serialize;

/// Orders outside of these say that the grids are too coarse, or the values too near each other, for
/// an order to be seen.
const BELIEVED: std::ops::RangeInclusive<f64> = 0.5..=4.0;

/// The order of all methods here, taken where two grids show none.
const FORMAL: f64 = 2.0;

/// Safety factors of the grid convergence index: with an order that was seen, and with one that was
/// taken for granted (Roache 1998, section 5.6).
const SEEN_SAFETY: f64 = 1.25;
const FORMAL_SAFETY: f64 = 3.0;

/// A value below this share of its unit (the case's velocity, length, and so on) on all grids is zero:
/// between what rounding leaves, 1e-12, and the weakest corner eddies of the tables, 1e-6.
pub const ZERO: f64 = 1e-8;

/// Differences between grids are of the grids if they are so many times the iteration error.
const ABOVE_ITERATION: f64 = 10.0;

/// Where an order comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Seen on three grids.
    Observed,
    /// The second order that the methods have by design, because two grids show none.
    Formal,
}

/// Why values have no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoLimit {
    /// There are fewer than two grids.
    OneGrid,
    /// The values are zero: below [`ZERO`] on all grids.
    Zero,
    /// They differ by less than ten times the iteration error: the grids agree as far as the runs went.
    IterationError,
    /// Three grids show no order between 0.5 and 4, or the limit may be as far away as the value is large: they are too
    /// coarse.
    NotAsymptotic,
}

impl fmt::Display for NoLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::OneGrid => "one grid",
            Self::Zero => "zero",
            Self::IterationError => "differences within the iteration error",
            Self::NotAsymptotic => "not in the asymptotic range",
        })
    }
}

/// The limit of a value under refinement: Richardson's extrapolation with the order that the grids
/// show, and the grid convergence index, after Celik et al. (2008), J. Fluids Eng. 130, 078001.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Convergence {
    /// The order `p` of the error in the spacing.
    pub order: f64,
    /// Where the order comes from.
    pub from: Order,
    /// The extrapolated value, in the unit of the values.
    pub limit: f64,
    /// How far the limit may be from the value on the finest grid, in the unit of the values.
    pub uncertainty: f64,
    /// The grid convergence index of the finest grid: the uncertainty as a share of the value there.
    pub index: f64,
}

impl Convergence {
    /// Of values, in their unit, with the spacing of their grids (any unit, any sequence), which runs
    /// left up to `iteration_error` from their ends. Those that are not finite do not count, and of the
    /// others the three on the finest grids do.
    ///
    /// # Errors
    /// Why there is none.
    pub fn of(values: &[(f64, f64)], iteration_error: f64) -> std::result::Result<Self, NoLimit> {
        let mut known: Vec<(f64, f64)> =
            values.iter().copied().filter(|(h, x)| *h > 0.0 && x.is_finite()).collect();
        known.sort_by(|a, b| a.0.total_cmp(&b.0));
        known.dedup_by(|a, b| a.0 == b.0);
        known.truncate(3);
        if known.iter().all(|(_, x)| x.abs() < ZERO) && !known.is_empty() {
            return Err(NoLimit::Zero);
        }
        let [(h1, fine), (h2, middle), ..] = known[..] else { return Err(NoLimit::OneGrid) };
        let least = known.windows(2).map(|pair| (pair[0].1 - pair[1].1).abs());
        if least.fold(f64::INFINITY, f64::min) < (ABOVE_ITERATION * iteration_error).max(ZERO) {
            return Err(NoLimit::IterationError);
        }
        let (order, from, safety) = match known.get(2) {
            None => (FORMAL, Order::Formal, FORMAL_SAFETY),
            Some(&(h3, coarse)) => observed_order([h1, h2, h3], [fine, middle, coarse])
                .filter(|order| BELIEVED.contains(order))
                .map(|order| (order, Order::Observed, SEEN_SAFETY))
                .ok_or(NoLimit::NotAsymptotic)?,
        };
        let correction = (fine - middle) / ((h2 / h1).powf(order) - 1.0);
        let uncertainty = safety * correction.abs();
        if uncertainty >= fine.abs() {
            return Err(NoLimit::NotAsymptotic);
        }
        let index = uncertainty / fine.abs();
        Ok(Self { order, from, limit: fine + correction, uncertainty, index })
    }
}

/// The order `p` for which `value = limit + c h^p` on three grids; nothing if the values do not come
/// nearer to each other.
///
/// Celik et al. (2008), steps 3: a fixed point, because the ratios of the spacings may differ.
fn observed_order([h1, h2, h3]: [f64; 3], [fine, middle, coarse]: [f64; 3]) -> Option<f64> {
    let (near, far) = (middle - fine, coarse - middle);
    if near == 0.0 || far / near <= 0.0 {
        return None;
    }
    let (r21, r32) = (h2 / h1, h3 / h2);
    let mut order = FORMAL;
    for _ in 0..200 {
        let q = ((r21.powf(order) - 1.0) / (r32.powf(order) - 1.0)).ln();
        let next = ((far / near).ln() + q) / r21.ln();
        if !next.is_finite() {
            return None;
        }
        if (next - order).abs() < 1e-12 {
            return Some(next);
        }
        order = 0.5 * (order + next);
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(limit: f64, c: f64, order: f64, grids: &[f64]) -> Vec<(f64, f64)> {
        grids.iter().map(|n| (1.0 / n, limit + c * (1.0 / n).powf(order))).collect()
    }

    #[test]
    fn powers_of_the_spacing_are_found_for_equal_and_unequal_ratios() {
        for grids in [[32.0, 64.0, 128.0], [40.0, 64.0, 160.0], [96.0, 128.0, 160.0]] {
            for order in [1.0, 1.9, 2.5] {
                let found = Convergence::of(&values(-0.4, 3.0, order, &grids), 0.0).unwrap();
                assert!((found.order - order).abs() < 1e-6, "{grids:?}: {found:?}");
                assert!((found.limit + 0.4).abs() < 1e-9, "{grids:?}: {found:?}");
                assert_eq!(found.from, Order::Observed);
            }
        }
    }

    #[test]
    fn the_finest_three_count_whatever_the_sequence() {
        let mut all = values(1.0, 2.0, 2.0, &[256.0, 64.0, 128.0]);
        all.insert(1, (1.0 / 8.0, 55.0));
        all.push((1.0 / 512.0, f64::NAN));
        let found = Convergence::of(&all, 0.0).unwrap();
        assert!((found.order - 2.0).abs() < 1e-9 && (found.limit - 1.0).abs() < 1e-12);
        // The error of the finest grid is 2/256^2; the index covers it by a quarter more.
        let error = 2.0 / (256.0 * 256.0);
        assert!((found.index - 1.25 * error / (1.0 + error)).abs() < 1e-12);
    }

    #[test]
    fn two_grids_take_the_formal_order_with_more_caution() {
        let two = Convergence::of(&[(0.1, 1.04), (0.05, 1.01)], 0.0).unwrap();
        assert_eq!((two.order, two.from), (2.0, Order::Formal));
        assert!((two.limit - 1.0).abs() < 1e-12 && two.index > 0.029);
        assert!((two.uncertainty - 1.01 * two.index).abs() < 1e-15);
    }

    #[test]
    fn no_limit_is_made_up() {
        let none = |values: &[(f64, f64)], iteration_error| {
            Convergence::of(values, iteration_error).unwrap_err()
        };
        let to_and_fro = [(0.4, 1.0), (0.2, 1.2), (0.1, 1.1)];
        let apart = [(0.4, 1.0), (0.2, 1.1), (0.1, 1.3)];
        assert_eq!(none(&to_and_fro, 0.0), NoLimit::NotAsymptotic);
        assert_eq!(none(&apart, 0.0), NoLimit::NotAsymptotic);
        // The velocity in the cell beside a wall, which goes to zero with the cell.
        let beside = [(0.4, 0.4), (0.2, 0.21), (0.1, 0.107)];
        assert_eq!(none(&beside, 0.0), NoLimit::NotAsymptotic);
        assert_eq!(none(&[(0.1, 1.0)], 0.0), NoLimit::OneGrid);
        assert_eq!(none(&[], 0.0), NoLimit::OneGrid);
        // What rounding leaves of a straight flow has no limit, order or percentage.
        let noise = [(0.4, 3e-11), (0.2, -8e-12), (0.1, 1e-11)];
        assert_eq!(none(&noise, 0.0), NoLimit::Zero);
        assert_eq!(none(&noise[..1], 0.0), NoLimit::Zero);
        // Differences of 0.03 and 0.01 are those of grids up to an iteration error of 0.001.
        let values = values(1.0, 1.0, 2.0, &[5.0, 10.0, 20.0]);
        assert!(Convergence::of(&values, 7e-4).is_ok());
        assert_eq!(none(&values, 8e-4), NoLimit::IterationError);
        assert_eq!(none(&[(0.2, 0.5), (0.1, 0.5)], 0.0), NoLimit::IterationError);
    }
}
