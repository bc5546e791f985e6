//! What a value on several grids says of the value that they converge to.

use serde::Serialize;

/// Orders outside of these say that the grids are too coarse, or the values too near each other, for
/// an order to be seen.
const BELIEVED: std::ops::RangeInclusive<f64> = 0.5..=4.0;

/// The order of all methods here, taken where none can be seen.
const FORMAL: f64 = 2.0;

/// Safety factors of the grid convergence index: with an order that was seen, and with one that was
/// taken for granted (Roache 1998, section 5.6).
const SEEN_SAFETY: f64 = 1.25;
const FORMAL_SAFETY: f64 = 3.0;

/// Where an order comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Seen on three grids.
    Observed,
    /// The second order that the methods have by design, because fewer than three grids, or grids
    /// that are too coarse, show none.
    Formal,
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
    /// The grid convergence index of the finest grid: a share of the value there, within which the
    /// limit is expected.
    pub index: f64,
}

impl Convergence {
    /// Of values with the spacing of their grids (any unit, any sequence); those that are not finite
    /// do not count, and of the others the three on the finest grids do. Nothing if there are fewer
    /// than two.
    pub fn of(values: &[(f64, f64)]) -> Option<Self> {
        let mut known: Vec<(f64, f64)> =
            values.iter().copied().filter(|(h, x)| *h > 0.0 && x.is_finite()).collect();
        known.sort_by(|a, b| a.0.total_cmp(&b.0));
        known.dedup_by(|a, b| a.0 == b.0);
        let [(h1, fine), (h2, middle), ..] = known[..] else { return None };
        let seen = known.get(2).and_then(|&(h3, coarse)| {
            observed_order([h1, h2, h3], [fine, middle, coarse])
                .filter(|order| BELIEVED.contains(order))
        });
        let (order, from, safety) = match seen {
            Some(order) => (order, Order::Observed, SEEN_SAFETY),
            None => (FORMAL, Order::Formal, FORMAL_SAFETY),
        };
        let correction = (fine - middle) / ((h2 / h1).powf(order) - 1.0);
        let share = if correction == 0.0 { 0.0 } else { (correction / fine).abs() };
        Some(Self { order, from, limit: fine + correction, index: safety * share })
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
                let found = Convergence::of(&values(-0.4, 3.0, order, &grids)).unwrap();
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
        let found = Convergence::of(&all).unwrap();
        assert!((found.order - 2.0).abs() < 1e-9 && (found.limit - 1.0).abs() < 1e-12);
        // The error of the finest grid is 2/256^2; the index covers it by a quarter more.
        let error = 2.0 / (256.0 * 256.0);
        assert!((found.index - 1.25 * error / (1.0 + error)).abs() < 1e-12);
    }

    #[test]
    fn where_no_order_is_seen_the_formal_one_is_taken_with_more_caution() {
        let two = Convergence::of(&[(0.1, 1.04), (0.05, 1.01)]).unwrap();
        assert_eq!((two.order, two.from), (2.0, Order::Formal));
        assert!((two.limit - 1.0).abs() < 1e-12 && two.index > 0.029);
        let to_and_fro = Convergence::of(&[(0.4, 1.0), (0.2, 1.2), (0.1, 1.1)]).unwrap();
        assert_eq!(to_and_fro.from, Order::Formal);
        let apart = Convergence::of(&[(0.4, 1.0), (0.2, 1.1), (0.1, 1.3)]).unwrap();
        assert_eq!(apart.from, Order::Formal);
        assert_eq!(Convergence::of(&[(0.1, 1.0)]), None);
        let same = Convergence::of(&[(0.4, 0.0), (0.2, 0.0), (0.1, 0.0)]).unwrap();
        assert_eq!((same.limit, same.index), (0.0, 0.0));
    }
}
