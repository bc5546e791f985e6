//! Numbers with the digits that are known.

use vortice_core::format::{down_to, first_place};

use super::convergence::ZERO;

/// Digits of a value of which nothing else is known.
const PLAIN: i32 = 4;

/// More digits than these are never shown.
const MOST: i32 = 6;

/// A value down to the first digit of its uncertainty, at most six; four if the uncertainty is not
/// known. Zero below [`ZERO`].
pub(super) fn rounded(x: f64, uncertainty: Option<f64>) -> String {
    let x = if x.abs() < ZERO { 0.0 } else { x };
    if !x.is_finite() || x == 0.0 {
        return down_to(x, 0);
    }
    let first = first_place(x);
    let last = uncertainty.filter(|u| *u > 0.0 && u.is_finite()).map(first_place);
    down_to(x, last.unwrap_or(first + 1 - PLAIN).clamp(first + 1 - MOST, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_ends_where_its_uncertainty_begins() {
        let x = -0.388_569_8;
        for (uncertainty, words) in [
            (Some(0.05), "-0.39"),
            (Some(0.003), "-0.389"),
            (Some(2e-5), "-0.38857"),
            (Some(1e-12), "-0.388570"),
            (Some(30.0), "-0.4"),
            (None, "-0.3886"),
            (Some(f64::INFINITY), "-0.3886"),
        ] {
            assert_eq!(rounded(x, uncertainty), words);
        }
        assert_eq!(rounded(1.745e-6, Some(2e-8)), "1.75e-6");
        assert_eq!(rounded(1234.5, Some(7.0)), "1234");
        // What rounding leaves of a flow that is straight.
        assert_eq!((&*rounded(-1.2e-11, None), &*rounded(f64::NAN, None)), ("0", "not found"));
    }
}
