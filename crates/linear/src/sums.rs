//! Sums whose bits do not depend on the order of the addends, nor on who has them: numbers become
//! whole digits of a common scale, and those are added exactly.

/// Bits that a first digit has at most, sign aside; 2^25 of them fit into 64 bits.
const BITS: i64 = 38;

/// Worth of a second digit's unit in units of the first.
const FINE: f64 = 1.0 / (1_u64 << BITS) as f64;

/// 1.5 2^52: a number of less than 2^51 added to it is rounded to a whole one, ties to even, which
/// then is in the last bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// Most inner products that are taken at once.
pub const MOST_PAIRS: usize = 3;

/// The bits of a magnitude, which are ordered like magnitudes; above all, those of what is no number.
#[inline(always)]
pub fn magnitude(value: f64) -> u64 {
    value.to_bits() & !(1 << 63)
}

/// The power of two that takes values of at most `largest` below 2^38.
#[inline(always)]
pub fn scale(largest: f64) -> f64 {
    let exponent = (magnitude(largest) >> 52) as i64 - 1023;
    let power = (BITS - 1 - exponent).min(1023);
    f64::from_bits(((power + 1023) as u64) << 52)
}

/// Two whole digits of a value.
#[inline(always)]
pub fn digits(value: f64, scale: f64) -> [i64; 2] {
    let scaled = value * scale;
    let shifted = scaled + ROUNDER;
    let rest = (scaled - (shifted - ROUNDER)) * (1_u64 << BITS) as f64;
    [shifted, rest + ROUNDER].map(|digit| digit.to_bits().wrapping_sub(ROUNDER.to_bits()) as i64)
}

/// The sum from the sums of the digits.
#[inline(always)]
pub fn total(sums: [i128; 2], scale: f64) -> f64 {
    (sums[0] as f64 + sums[1] as f64 * FINE) / scale
}

/// The sum of values of which `largest` is the largest magnitude: as many digits as there are are
/// added up; 0 if there is nothing to add, not a number if that cannot be done.
pub fn finish(sums: [i128; 2], largest: f64) -> f64 {
    if largest == 0.0 {
        0.0
    } else if largest.is_finite() {
        total(sums, scale(largest))
    } else {
        f64::NAN
    }
}

/// The bits of the largest magnitude among products.
#[inline(always)]
pub(crate) fn largest_of_products(x: &[f64], y: &[f64]) -> u64 {
    let y = &y[..x.len()];
    (0..x.len()).fold(0, |largest: u64, i| largest.max(magnitude(x[i] * y[i])))
}

/// The sums of the digits of at most 2^25 products.
#[inline(always)]
pub(crate) fn of_products(x: &[f64], y: &[f64], scale: f64) -> [i64; 2] {
    let y = &y[..x.len()];
    let mut sums = [0; 2];
    for i in 0..x.len() {
        let digits = digits(x[i] * y[i], scale);
        sums = [sums[0] + digits[0], sums[1] + digits[1]];
    }
    sums
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

    fn largest(values: &[f64]) -> f64 {
        f64::from_bits(values.iter().map(|&v| magnitude(v)).max().unwrap_or(0))
    }

    fn digits_of(values: &[f64], scale: f64) -> [i128; 2] {
        values.iter().fold([0; 2], |sums, &v| {
            let digits = digits(v, scale);
            [sums[0] + i128::from(digits[0]), sums[1] + i128::from(digits[1])]
        })
    }

    fn sum(values: &[f64]) -> f64 {
        let largest = largest(values);
        finish(digits_of(values, scale(largest)), largest)
    }

    #[test]
    fn order_and_cuts_do_not_matter() {
        let mut state = 1;
        let mut values: Vec<f64> =
            (0..10_000).map(|n| random(&mut state) * 2_f64.powi(n % 60 - 30)).collect();
        let expected = sum(&values);
        for parts in [2, 3, 7, 1000] {
            values.rotate_left(1237);
            values.reverse();
            let scale = scale(largest(&values));
            let sums =
                values.chunks(values.len().div_ceil(parts)).map(|part| digits_of(part, scale));
            let sums = sums.fold([0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
            assert_eq!(
                finish(sums, largest(&values)).to_bits(),
                expected.to_bits(),
                "{parts} parts"
            );
        }
        let plain: f64 = values.iter().sum();
        assert_ne!(plain.to_bits(), expected.to_bits(), "a plain sum depends on the order");
    }

    #[test]
    fn sums_are_right_to_rounding() {
        // Whole numbers: exact, whatever cancels.
        let mut state = 5;
        let whole: Vec<i64> =
            (0..5000).map(|_| (random(&mut state) * (1_i64 << 50) as f64) as i64).collect();
        let values: Vec<f64> = whole.iter().map(|&w| w as f64).collect();
        assert_eq!(sum(&values), whole.iter().sum::<i64>() as f64);
        // The error is that of one rounding and of 2^-76 of the largest value per addend.
        let mut values: Vec<f64> = (0..2000).map(|_| random(&mut state)).collect();
        let negated: Vec<f64> = values.iter().map(|v| -v).collect();
        values.extend(negated);
        values.push(1e-12);
        assert!((sum(&values) - 1e-12).abs() < 4001.0 * 2_f64.powi(-76));
    }

    #[test]
    fn any_magnitude_can_be_summed() {
        for v in [1.0, -1.5, 1e300, f64::MAX, -1e-300, f64::MIN_POSITIVE, 0.0] {
            assert_eq!(sum(&[v]), v, "{v:e}");
            let twice = if v == f64::MAX { f64::INFINITY } else { 2.0 * v };
            assert_eq!(sum(&[v, v]), twice, "{v:e}");
        }
        // Below the smallest normal numbers digits are missing, as they are in such numbers.
        assert!((sum(&[3e-310]) - 3e-310).abs() < 1e-318);
        assert_eq!(sum(&[]), 0.0);
        assert!(sum(&[1.0, f64::NAN]).is_nan());
        assert!(sum(&[1.0, f64::NEG_INFINITY]).is_nan());
    }

    #[test]
    fn digits_stay_below_their_bound() {
        for largest in [1.0, 0.999_999, 1.999_999_999, 7e200, 5e-324] {
            let [first, second] = digits(-largest, scale(largest));
            assert!(first.abs() <= 1 << BITS && second.abs() <= 1 << (BITS - 1), "{largest}");
        }
    }
}
