//! Sums whose bits do not depend on the order of the addends, nor on who has them: numbers become
//! whole digits, and those are added exactly, in one pass; as the binned numbers of Ahrens, Demmel and
//! Nguyen 2020, with integers for bins. Eq. (V16) of docs/src/theory/fvm.md.
//!
//! The exponents of numbers are cut into windows of 30 bits. A sum keeps three digits: that of the window
//! of its largest addend and the next two below. A sum whose window is lower is moved up to that of another
//! before they are added, and loses what is below the third digit there. That is as much as each addend
//! would have lost by rounding, because no digit is larger than half a unit of the one before.

use vortice_core::{Communicator, Result};

/// Bits of a window and of a digit, sign aside; 2^33 digits fit into 64 bits.
const BITS: i64 = 30;

/// Digits that are kept.
const DIGITS: usize = 3;

/// Worth of a digit's unit in units of the one before.
const FINE: f64 = 1.0 / (1_u64 << BITS) as f64;

/// 1.5 2^52: a number of less than 2^51 added to it is rounded to a whole one, ties to even, which
/// then is in the last bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// The window of what is not finite: above all others.
const NOT_FINITE: i64 = 2047 / BITS + 1;

/// Most inner products that are taken at once.
pub const MOST_PAIRS: usize = 3;

/// The bits of a magnitude, which are ordered like magnitudes; above all, those of what is no number.
#[inline(always)]
pub fn magnitude(value: f64) -> u64 {
    value.to_bits() & !(1 << 63)
}

/// The window of a magnitude, from its bits.
#[inline(always)]
pub fn window(magnitude: u64) -> i64 {
    let exponent = (magnitude >> 52) as i64;
    if exponent == 2047 { NOT_FINITE } else { (exponent + 1) / BITS }
}

/// The power of two that takes numbers of a window, which is not above all, below 2^29: half a unit of
/// the window above.
#[inline(always)]
pub fn scale(window: i64) -> f64 {
    f64::from_bits(((2046 - BITS * window) as u64) << 52)
}

/// The digits of a value with the scale of its window or of a higher one.
#[inline(always)]
pub fn digits(value: f64, scale: f64) -> [i64; DIGITS] {
    let mut rest = value * scale;
    std::array::from_fn(|_| {
        let shifted = rest + ROUNDER;
        rest = (rest - (shifted - ROUNDER)) * (1_u64 << BITS) as f64;
        shifted.to_bits().wrapping_sub(ROUNDER.to_bits()) as i64
    })
}

/// The exact sum of what numbers have above the third digit of the largest. Of at most 2^33 numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The window of the largest addend.
    pub window: i64,
    /// Sums of the digits, the first in that window. Different digits may stand for the same sum.
    pub digits: [i64; DIGITS],
}

impl Sum {
    /// The sum of the products of two rows.
    #[inline(always)]
    pub(crate) fn of_products(x: &[f64], y: &[f64]) -> Self {
        let y = &y[..x.len()];
        let largest = (0..x.len()).fold(0, |largest: u64, i| largest.max(magnitude(x[i] * y[i])));
        let window = window(largest);
        let mut sums = [0; DIGITS];
        if window != NOT_FINITE {
            let scale = scale(window);
            for i in 0..x.len() {
                let digits = digits(x[i] * y[i], scale);
                sums = [sums[0] + digits[0], sums[1] + digits[1], sums[2] + digits[2]];
            }
        }
        Self { window, digits: sums }
    }

    /// The digits for a window that is not lower.
    #[inline(always)]
    fn moved(self, window: i64) -> [i64; DIGITS] {
        let [first, second, _] = self.digits;
        match window - self.window {
            0 => self.digits,
            1 => [0, first, second],
            2 => [0, 0, first],
            _ => [0; DIGITS],
        }
    }

    /// The sum of all addends of both.
    #[inline(always)]
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        let window = self.window.max(other.window);
        let (a, b) = (self.moved(window), other.moved(window));
        Self { window, digits: std::array::from_fn(|n| a[n] + b[n]) }
    }

    /// Sums over all ranks, in one message, whatever device the ranks have.
    pub fn over_ranks(ranks: &dyn Communicator, sums: &mut [Self]) -> Result<()> {
        if ranks.size() == 1 {
            return Ok(());
        }
        let numbers = |sum: &Self| {
            let [first, second, third] = sum.digits;
            [sum.window, first, second, third]
        };
        let mine: Vec<[i64; 1 + DIGITS]> = sums.iter().map(numbers).collect();
        sums.fill(Self::default());
        for theirs in ranks.all_gather(bytemuck::cast_slice(&mine))? {
            let theirs = theirs.chunks_exact(size_of::<[i64; 1 + DIGITS]>());
            for (sum, theirs) in sums.iter_mut().zip(theirs.map(bytemuck::pod_read_unaligned)) {
                let [window, digits @ ..]: [i64; 1 + DIGITS] = theirs;
                *sum = sum.join(Self { window, digits });
            }
        }
        Ok(())
    }

    /// The sum as a number; not a number if an addend is not finite.
    #[inline(always)]
    pub fn value(self) -> f64 {
        if self.window == NOT_FINITE {
            return f64::NAN;
        }
        let [mut first, mut second, mut third] = self.digits;
        // Digits of one size, so that equal sums have equal ones.
        (second, third) = carry(second, third);
        (first, second) = carry(first, second);
        let below = (second as f64 + third as f64 * FINE) * FINE;
        (first as f64 + below) / scale(self.window)
    }
}

/// Two digits of which the lower one is at most half a unit of the upper one.
#[inline(always)]
fn carry(upper: i64, lower: i64) -> (i64, i64) {
    let over = (lower + (1 << (BITS - 1))) >> BITS;
    (upper + over, lower - (over << BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A generator of numbers between -1 and 1; Marsaglia 2003.
    fn random(state: &mut u64) -> f64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        (*state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn sum_of(values: &[f64]) -> Sum {
        let one = |&v: &f64| Sum::of_products(&[v], &[1.0]);
        values.iter().map(one).fold(Sum::default(), Sum::join)
    }

    /// What the digits stand for, in units of the last.
    fn whole(sum: Sum) -> (i64, i128) {
        let add = |sum: i128, digit: i64| (sum << BITS) + i128::from(digit);
        (sum.window, sum.digits.into_iter().fold(0, add))
    }

    fn sum(values: &[f64]) -> f64 {
        let ones = vec![1.0; values.len()];
        let (at_once, apart) = (Sum::of_products(values, &ones), sum_of(values));
        assert_eq!(whole(at_once), whole(apart));
        assert_eq!(at_once.value().to_bits(), apart.value().to_bits());
        at_once.value()
    }

    #[test]
    fn order_and_cuts_do_not_matter() {
        let mut state = 1;
        let mut values: Vec<f64> =
            (0..10_000).map(|n| random(&mut state) * 2_f64.powi(n % 150 - 75)).collect();
        let expected = sum(&values);
        for parts in [2, 3, 7, 1000] {
            values.rotate_left(1237);
            values.reverse();
            let ones = vec![1.0; values.len()];
            let sums = values.chunks(values.len().div_ceil(parts));
            let sums = sums.map(|part| Sum::of_products(part, &ones));
            let joined = sums.fold(Sum::default(), Sum::join).value();
            assert_eq!(joined.to_bits(), expected.to_bits(), "{parts} parts");
        }
        let plain: f64 = values.iter().sum();
        assert_ne!(plain.to_bits(), expected.to_bits(), "a plain sum depends on the order");
    }

    #[test]
    fn equal_sums_have_equal_bits_however_they_cancel() {
        let mut state = 3;
        for n in 0..200 {
            let large = random(&mut state) * 2_f64.powi(n - 100);
            let small: Vec<f64> =
                (0..50).map(|m| random(&mut state) * 2_f64.powi(n - 100 - m)).collect();
            let mut values = small.clone();
            values.extend([large, -large]);
            let expected = sum(&values);
            values.rotate_left(25);
            assert_eq!(sum(&values).to_bits(), expected.to_bits());
            let plain = sum(&small);
            let close = 60.0 * large.abs() * 2_f64.powi(-60) + 1e-15 * plain.abs();
            assert!((expected - plain).abs() <= close, "{expected:e} {plain:e}");
        }
    }

    #[test]
    fn sums_are_right_to_rounding() {
        // Whole numbers: exact, whatever cancels.
        let mut state = 5;
        let whole: Vec<i64> =
            (0..5000).map(|_| (random(&mut state) * (1_i64 << 50) as f64) as i64).collect();
        let values: Vec<f64> = whole.iter().map(|&w| w as f64).collect();
        assert_eq!(sum(&values), whole.iter().sum::<i64>() as f64);
        // The error is that of one rounding and of 2^-60 of the largest value per addend at most.
        let mut values: Vec<f64> = (0..2000).map(|_| random(&mut state)).collect();
        let negated: Vec<f64> = values.iter().map(|v| -v).collect();
        values.extend(negated);
        values.push(1e-12);
        assert!((sum(&values) - 1e-12).abs() < 4001.0 * 2_f64.powi(-60));
    }

    #[test]
    fn any_magnitude_can_be_summed() {
        for v in [1.0, -1.5, 1e300, f64::MAX, -1e-300, f64::MIN_POSITIVE, 3e-310, 5e-324, 0.0] {
            assert_eq!(sum(&[v]), v, "{v:e}");
            let twice = if v == f64::MAX { f64::INFINITY } else { 2.0 * v };
            assert_eq!(sum(&[v, v]), twice, "{v:e}");
        }
        assert_eq!(sum(&[]), 0.0);
        assert!(sum(&[1.0, f64::NAN]).is_nan());
        assert!(sum(&[1.0, f64::NEG_INFINITY]).is_nan());
    }

    #[test]
    fn digits_stay_below_their_bound() {
        for largest in [1.0, 0.999_999, 1.999_999_999, 7e200, f64::MAX, 5e-324] {
            let scale = scale(window(magnitude(largest)));
            let [first, second, third] = digits(-largest, scale);
            let most = first.abs().max(second.abs()).max(third.abs());
            assert!(most <= 1 << (BITS - 1), "{largest}");
        }
    }
}
