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

/// Numbers that are added together: so many sums of mantissas have room in 64 bits.
const TOGETHER: usize = 1 << 10;

/// Numbers from which on it is worth adding them together.
const WORTH_IT: usize = 16;

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
        let (exponent, mantissa) = of(number);
        self.add_units(exponent, mantissa);
        self.broken |= u128::from(exponent == NOT_FINITE);
    }

    /// Adds numbers; their signs do not count. What [`Self::add`] makes of each of them, with the widest vectors where it is
    /// inlined into a loop that is compiled for them.
    #[inline(always)]
    pub(crate) fn add_all(&mut self, numbers: &[f64]) {
        for numbers in numbers.chunks(TOGETHER) {
            let bits = |number: f64| number.abs().to_bits() as i64;
            // The greatest of those that are still to be added; if it is zero, so are they.
            let mut greatest = numbers.iter().fold(0, |most, &number| most.max(bits(number)));
            while greatest > 0 {
                let exponent = greatest as u64 >> FRACTION;
                let is_suitable = (u64::from(FRACTION) + 1..NOT_FINITE).contains(&exponent);
                if numbers.len() < WORTH_IT || !is_suitable {
                    let left = numbers.iter().filter(|&&number| bits(number) <= greatest);
                    left.for_each(|&number| self.add(number));
                    break;
                }
                let (high, low);
                (high, low, greatest) = parts(numbers, exponent);
                self.add_units(exponent, high);
                self.add_units(exponent - u64::from(FRACTION), low);
            }
        }
    }

    /// Adds so many times the lowest bit of numbers of an exponent.
    #[inline(always)]
    fn add_units(&mut self, exponent: u64, count: u64) {
        let slot = (exponent >> SHIFT) as usize % SLOTS;
        self.slots[slot] += u128::from(count) << (exponent % (1 << SHIFT));
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

/// Exponent and mantissa of a number without its sign. The smallest numbers have no leading one, and the exponent of those
/// above them.
#[inline(always)]
fn of(number: f64) -> (u64, u64) {
    let bits = number.abs().to_bits();
    let (exponent, fraction) = (bits >> FRACTION, bits & ((1 << FRACTION) - 1));
    let leading = u64::from(exponent > 0);
    (exponent.wrapping_add(1).wrapping_sub(leading), fraction | leading << FRACTION)
}

/// The sum of the numbers of this exponent and of the 52 below it: in units of the lowest bit of such a number, and the rest in
/// units that are 2^52 times as small. Then the bits of the greatest of those that are smaller.
#[inline(always)]
fn parts(numbers: &[f64], greatest: u64) -> (u64, u64, i64) {
    let (mut high, mut low, mut smaller) = (0_u64, 0_u64, 0_i64);
    for &number in numbers {
        let (exponent, mantissa) = of(number);
        let below = greatest.wrapping_sub(exponent) as i64;
        let is_smaller = below > i64::from(FRACTION);
        let is_one = below >= 0 && !is_smaller;
        let mantissa = if is_one { mantissa } else { 0 };
        let below = (if is_one { below } else { 0 }) as u32;
        let whole = mantissa.wrapping_shr(below);
        let rest = mantissa ^ whole.wrapping_shl(below);
        high = high.wrapping_add(whole);
        low = low.wrapping_add(rest.wrapping_shl(FRACTION.wrapping_sub(below)));
        smaller = smaller.max(if is_smaller { number.abs().to_bits() as i64 } else { 0 });
    }
    (high, low, smaller)
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
    fn numbers_added_together_are_those_added_one_by_one() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 11
        };
        // Alike, and over ever more powers of two, with zeros and what is too small to have a leading one.
        for powers in [1, 8, 30, 60, 200, 1000, 2046] {
            for count in [0, 1, 15, 16, 17, 1000, 1024, 1025, 5000] {
                let numbers: Vec<f64> = (0..count)
                    .map(|_| {
                        let exponent = 1023_u64.saturating_sub(powers / 2) + random() % powers;
                        let sign = (random() % 2) << 63;
                        let is_zero = random() % 50 == 0;
                        let fraction = random() & ((1 << FRACTION) - 1);
                        if is_zero {
                            0.0
                        } else {
                            f64::from_bits(exponent << FRACTION | fraction | sign)
                        }
                    })
                    .collect();
                let (one_by_one, mut together) = (sum(&numbers), ExactSum::default());
                together.add_all(&numbers);
                assert_eq!(
                    together.value().to_bits(),
                    one_by_one.value().to_bits(),
                    "{powers} {count}"
                );
            }
        }
        let mut broken = ExactSum::default();
        broken.add_all(&[[1.0; 40], [f64::NAN; 40]].concat());
        assert!(broken.value().is_nan());
        let mut rest = ExactSum::default();
        rest.add_all(&[0.0; 3000]);
        assert_eq!(rest, ExactSum::default());
    }

    #[test]
    fn what_is_not_finite_makes_no_sum() {
        for broken in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(sum(&[1.0, broken, 2.0]).value().is_nan());
        }
    }
}
