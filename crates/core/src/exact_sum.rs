//! Sums of many numbers without rounding: the same bits in any order, on any number of threads and ranks.

use bytemuck::{Pod, Zeroable};

/// Bits of the exponent that numbers of one slot differ in: 32 powers of two.
const SHIFT: u32 = 5;

/// Slots for all exponents.
const SLOTS: usize = 2048 >> SHIFT;

/// Bits of a number's fraction.
const FRACTION: u32 = 52;

/// The exponent of what is not finite.
const NOT_FINITE: u64 = 2047;

/// The lowest bit of the first slot is this power of two.
const LOWEST: i32 = -1075;

/// The exact sum of numbers that are not negative. There is room for 2^43 of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct ExactSum {
    /// Of the numbers whose exponents agree but for their last bits, in units of the lowest bit of the smallest.
    slots: [u128; SLOTS],
    /// Not zero if some number was not finite.
    broken: u128,
}

impl Default for ExactSum {
    fn default() -> Self {
        Self::zeroed()
    }
}

impl ExactSum {
    /// Adds a number; its sign does not count.
    #[inline(always)]
    pub(crate) fn add(&mut self, number: f64) {
        let bits = number.abs().to_bits();
        let exponent = bits >> FRACTION;
        let fraction = bits & ((1 << FRACTION) - 1);
        // The smallest numbers have no leading one, and the exponent of those above them.
        let leading = u64::from(exponent > 0);
        let exponent = exponent + 1 - leading;
        let mantissa = u128::from(fraction | leading << FRACTION);
        let slot = (exponent >> SHIFT) as usize % SLOTS;
        self.slots[slot] += mantissa << (exponent % (1 << SHIFT));
        self.broken |= u128::from(exponent == NOT_FINITE);
    }

    /// Adds all numbers of another sum.
    pub(crate) fn join(&mut self, other: &Self) {
        self.slots.iter_mut().zip(other.slots).for_each(|(one, other)| *one += other);
        self.broken |= other.broken;
    }

    /// The sum, rounded once.
    pub(crate) fn value(&self) -> f64 {
        if self.broken != 0 {
            return f64::NAN;
        }
        // Digits of 32 bits, the lowest first: those of all slots, and what is carried beyond.
        let (mut digits, mut carried) = ([0_u32; SLOTS + 4], 0_u128);
        let slots = self.slots.iter().copied().chain([0; 4]);
        for (digit, slot) in digits.iter_mut().zip(slots) {
            carried += slot;
            *digit = carried as u32;
            carried >>= 32;
        }
        let Some(top) = digits.iter().rposition(|&digit| digit > 0) else { return 0.0 };
        let first = top.saturating_sub(2);
        let leading = digits[first..=top].iter().rev();
        let leading = leading.fold(0, |all, &digit| all << 32 | u128::from(digit));
        // What lies below decides where the leading digits are half-way between two numbers.
        let below = digits[..first].iter().any(|&digit| digit > 0);
        scaled((leading | u128::from(below)) as f64, LOWEST + 32 * first as i32)
    }
}

/// A number times a power of two, which may be no number itself.
fn scaled(number: f64, exponent: i32) -> f64 {
    let power = |exponent: i32| f64::from_bits(((exponent + 1023) as u64) << FRACTION);
    let half = exponent / 2;
    number * power(half) * power(exponent - half)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(numbers: &[f64]) -> ExactSum {
        let mut sum = ExactSum::default();
        numbers.iter().for_each(|&number| sum.add(number));
        sum
    }

    #[test]
    fn a_number_is_its_own_sum() {
        let smallest = f64::from_bits(1);
        for number in [0.0, 1.0, 0.1, 3e300, f64::MAX, f64::MIN_POSITIVE, smallest, 7.3e-310] {
            assert_eq!(sum(&[number]).value(), number);
        }
    }

    #[test]
    fn sums_are_rounded_once() {
        assert_eq!(sum(&[1.0, 2f64.powi(-53), 2f64.powi(-53)]).value(), 1.0 + f64::EPSILON);
        // Half-way to the next number, and a little more.
        assert_eq!(sum(&[1.0, 2f64.powi(-53)]).value(), 1.0);
        assert_eq!(sum(&[1.0, 2f64.powi(-53), 2f64.powi(-900)]).value(), 1.0 + f64::EPSILON);
        assert_eq!(sum(&[0.1; 10]).value(), 1.0);
        assert_eq!(sum(&vec![1e-20; 1 << 20]).value(), 1e-20 * (1 << 20) as f64);
        assert_eq!(sum(&[f64::MAX, f64::MAX]).value(), f64::INFINITY);
    }

    #[test]
    fn the_order_does_not_count() {
        let number = |n: i32| f64::from(n * n % 101) * 2f64.powi(n % 200 - 100) / 3.0;
        let numbers: Vec<f64> = (0..1000).map(number).collect();
        let reversed: Vec<f64> = numbers.iter().rev().copied().collect();
        let mut joined = sum(&numbers[500..]);
        joined.join(&sum(&numbers[..500]));
        assert!(sum(&numbers) == sum(&reversed) && sum(&numbers) == joined);
    }

    #[test]
    fn what_is_not_finite_makes_no_sum() {
        for broken in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(sum(&[1.0, broken, 2.0]).value().is_nan());
        }
    }
}
