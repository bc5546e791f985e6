//! The two floating-point types that fields are made of.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// A floating-point number: `f32` or `f64`.
pub trait Real:
    bytemuck::Pod
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + AddAssign
    + Div<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + Sub<Output = Self>
{
    /// `"f32"` or `"f64"`.
    const NAME: &'static str;
    /// The nearest number of this type.
    fn from_f64(value: f64) -> Self;
    /// The same number as `f64`, without loss.
    fn to_f64(self) -> f64;
    /// The number without its sign.
    fn abs(self) -> Self;
    /// The larger of two numbers; not a number if either is.
    ///
    /// Magnitudes are compared through their bit patterns, which order like the numbers
    /// themselves with infinity and then not-a-number on top, so nothing invalid is lost.
    fn max_magnitude(self, other: Self) -> Self;
}

macro_rules! real {
    ($t:ty, $bits:ty, $name:literal) => {
        impl Real for $t {
            const NAME: &'static str = $name;
            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as $t
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn abs(self) -> Self {
                <$t>::abs(self)
            }
            #[inline(always)]
            fn max_magnitude(self, other: Self) -> Self {
                let (a, b) = (self.abs().to_bits() as $bits, other.abs().to_bits() as $bits);
                <$t>::from_bits((if a > b { a } else { b }) as _)
            }
        }
    };
}
real!(f32, i32, "f32");
real!(f64, i64, "f64");
