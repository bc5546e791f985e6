//! What the arithmetic is done with: one number, or as many as fit a register of the processor.

use std::ops::{Add, Mul, Neg, Sub};

use pulp::Simd;
use vortice_core::{Real, Storable};

/// What can be added and taken away.
pub(crate) trait Signed:
    Copy + Add<Output = Self> + Sub<Output = Self> + Neg<Output = Self>
{
}

impl<V: Copy + Add<Output = V> + Sub<Output = V> + Neg<Output = V>> Signed for V {}

/// Numbers of type `T` that are calculated with together.
pub(crate) trait Number<T>: Signed + Mul<Output = Self> {
    /// The same number in all places; `self` only says how many.
    fn constant(self, x: T) -> Self;
    /// Times a constant.
    #[inline(always)]
    fn times(self, x: T) -> Self {
        self * self.constant(x)
    }
}

impl<T: Real> Number<T> for T {
    #[inline(always)]
    fn constant(self, x: T) -> Self {
        x
    }
}

/// A register full of numbers.
pub(crate) struct Pack<S: Simd, T: Packed>(pub(crate) S, pub(crate) T::Register<S>);

/// Number types that registers hold.
pub(crate) trait Packed: Storable {
    /// A register.
    type Register<S: Simd>: bytemuck::Pod;
    /// All places the same.
    fn splat<S: Simd>(simd: S, x: Self) -> Self::Register<S>;
    /// Sum.
    fn add<S: Simd>(simd: S, a: Self::Register<S>, b: Self::Register<S>) -> Self::Register<S>;
    /// Difference.
    fn sub<S: Simd>(simd: S, a: Self::Register<S>, b: Self::Register<S>) -> Self::Register<S>;
    /// Product.
    fn mul<S: Simd>(simd: S, a: Self::Register<S>, b: Self::Register<S>) -> Self::Register<S>;
    /// With the other sign.
    fn neg<S: Simd>(simd: S, a: Self::Register<S>) -> Self::Register<S>;
    /// Each number so many places on, those at the end to the front.
    fn rotated<S: Simd>(simd: S, a: Self::Register<S>, by: usize) -> Self::Register<S>;
    /// The bits of both.
    fn or<S: Simd>(simd: S, a: Self::Register<S>, b: Self::Register<S>) -> Self::Register<S>;
    /// Numbers, no more than a register has, and zero behind them.
    fn load<S: Simd>(simd: S, from: &[Self]) -> Self::Register<S>;
    /// The reverse of `load`.
    fn store<S: Simd>(simd: S, a: Self::Register<S>, to: &mut [Self]);
}

macro_rules! packed {
    ($t:ty, $register:ident, $splat:ident, $add:ident, $sub:ident, $mul:ident, $neg:ident, $rotated:ident, $or:ident,
     $load:ident, $store:ident) => {
        impl Packed for $t {
            type Register<S: Simd> = S::$register;
            #[inline(always)]
            fn splat<S: Simd>(simd: S, x: Self) -> S::$register {
                simd.$splat(x)
            }
            #[inline(always)]
            fn add<S: Simd>(simd: S, a: S::$register, b: S::$register) -> S::$register {
                simd.$add(a, b)
            }
            #[inline(always)]
            fn sub<S: Simd>(simd: S, a: S::$register, b: S::$register) -> S::$register {
                simd.$sub(a, b)
            }
            #[inline(always)]
            fn mul<S: Simd>(simd: S, a: S::$register, b: S::$register) -> S::$register {
                simd.$mul(a, b)
            }
            #[inline(always)]
            fn neg<S: Simd>(simd: S, a: S::$register) -> S::$register {
                simd.$neg(a)
            }
            #[inline(always)]
            fn rotated<S: Simd>(simd: S, a: S::$register, by: usize) -> S::$register {
                simd.$rotated(a, by)
            }
            #[inline(always)]
            fn or<S: Simd>(simd: S, a: S::$register, b: S::$register) -> S::$register {
                pulp::cast(simd.$or(pulp::cast(a), pulp::cast(b)))
            }
            #[inline(always)]
            fn load<S: Simd>(simd: S, from: &[Self]) -> S::$register {
                match from.len() == size_of::<S::$register>() / size_of::<Self>() {
                    true => bytemuck::pod_read_unaligned(bytemuck::cast_slice(from)),
                    false => simd.$load(from),
                }
            }
            #[inline(always)]
            fn store<S: Simd>(simd: S, a: S::$register, to: &mut [Self]) {
                match to.len() == size_of::<S::$register>() / size_of::<Self>() {
                    true => bytemuck::cast_slice_mut(to).copy_from_slice(bytemuck::bytes_of(&a)),
                    false => simd.$store(to, a),
                }
            }
        }
    };
}
packed!(
    f32,
    f32s,
    splat_f32s,
    add_f32s,
    sub_f32s,
    mul_f32s,
    neg_f32s,
    rotate_right_f32s,
    or_u32s,
    partial_load_f32s,
    partial_store_f32s
);
packed!(
    f64,
    f64s,
    splat_f64s,
    add_f64s,
    sub_f64s,
    mul_f64s,
    neg_f64s,
    rotate_right_f64s,
    or_u64s,
    partial_load_f64s,
    partial_store_f64s
);

impl<S: Simd, T: Packed> Clone for Pack<S, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Simd, T: Packed> Copy for Pack<S, T> {}

macro_rules! operator {
    ($trait:ident, $method:ident) => {
        impl<S: Simd, T: Packed> $trait for Pack<S, T> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0, <T as Packed>::$method(self.0, self.1, other.1))
            }
        }
    };
}
operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);

impl<S: Simd, T: Packed> Neg for Pack<S, T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0, <T as Packed>::neg(self.0, self.1))
    }
}

impl<S: Simd, T: Packed> Number<T> for Pack<S, T> {
    #[inline(always)]
    fn constant(self, x: T) -> Self {
        Self(self.0, T::splat(self.0, x))
    }
}

/// A sum that is nothing until something is added.
#[derive(Clone, Copy)]
pub(crate) struct Sum<V>(Option<V>);

impl<V: Signed> Sum<V> {
    /// Nothing.
    pub(crate) const NOTHING: Self = Self(None);

    /// Adds `sign` times a number; `sign` is -1, 0 or 1.
    #[inline(always)]
    pub(crate) fn add(&mut self, sign: i8, x: V) {
        self.0 = match (self.0, sign) {
            (sum, 0) => sum,
            (None, 1..) => Some(x),
            (None, _) => Some(-x),
            (Some(sum), 1..) => Some(sum + x),
            (Some(sum), _) => Some(sum - x),
        };
    }

    /// The sum, or what there is instead if nothing was added.
    #[inline(always)]
    pub(crate) fn or(self, nothing: V) -> V {
        match self.0 {
            Some(sum) => sum,
            None => nothing,
        }
    }
}
