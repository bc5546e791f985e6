//! How populations are stored: as numbers, or in 16 bits; eq. (L18). Twin of
//! kernels/lbm/population.cuh.

use half::f16;
use half::slice::HalfFloatSliceExt;
use pulp::Simd;

use crate::number::Packed;

/// A stored population, which calculations see as a `T`.
pub(crate) trait Population<T: Packed>: bytemuck::Pod + Send + Sync {
    /// Whether rows are done in registers whatever the lattice.
    const IN_REGISTERS: bool;
    /// Of one, as a share of it.
    const ROUNDING: f64;
    /// The number that it stands for.
    fn widened(self) -> T;
    /// The nearest population.
    fn narrowed(x: T) -> Self;
    /// Populations, no more than a register has, and zero behind them.
    fn load<S: Simd>(simd: S, from: &[Self]) -> T::Register<S>;
    /// The reverse of `load`.
    fn store<S: Simd>(simd: S, x: T::Register<S>, to: &mut [Self]);
}

macro_rules! as_it_is {
    ($t:ident) => {
        impl Population<$t> for $t {
            const IN_REGISTERS: bool = true;
            const ROUNDING: f64 = $t::EPSILON as f64;
            #[inline(always)]
            fn widened(self) -> $t {
                self
            }
            #[inline(always)]
            fn narrowed(x: $t) -> Self {
                x
            }
            #[inline(always)]
            fn load<S: Simd>(simd: S, from: &[Self]) -> <$t as Packed>::Register<S> {
                <$t as Packed>::load(simd, from)
            }
            #[inline(always)]
            fn store<S: Simd>(simd: S, x: <$t as Packed>::Register<S>, to: &mut [Self]) {
                <$t as Packed>::store(simd, x, to);
            }
        }
    };
}
as_it_is!(f32);
as_it_is!(f64);

/// 16-bit numbers are stored in these units: populations less their weights are small.
const UNIT: f32 = 1.0 / 32768.0;

impl Population<f32> for Half {
    const IN_REGISTERS: bool = false;
    // Eleven bits.
    const ROUNDING: f64 = 1.0 / 1024.0;
    #[inline(always)]
    fn widened(self) -> f32 {
        f16::from_bits(self.0).to_f32() * UNIT
    }
    #[inline(always)]
    fn narrowed(x: f32) -> Self {
        Self(f16::from_f32(x * (1.0 / UNIT)).to_bits())
    }
    #[inline(always)]
    fn load<S: Simd>(simd: S, from: &[Self]) -> <f32 as Packed>::Register<S> {
        let mut wide = [0.0; MOST_LANES];
        bytemuck::cast_slice::<_, f16>(from).convert_to_f32_slice(&mut wide[..from.len()]);
        let raw = <f32 as Packed>::load(simd, &wide[..lanes::<S, f32>()]);
        <f32 as Packed>::mul(simd, raw, f32::splat(simd, UNIT))
    }
    #[inline(always)]
    fn store<S: Simd>(simd: S, x: <f32 as Packed>::Register<S>, to: &mut [Self]) {
        let x = <f32 as Packed>::mul(simd, x, f32::splat(simd, 1.0 / UNIT));
        let wide: &[f32] = &bytemuck::cast_slice(std::slice::from_ref(&x))[..to.len()];
        bytemuck::cast_slice_mut::<_, f16>(to).convert_from_f32_slice(wide);
    }
}

/// Widest register, in single precision.
pub(crate) const MOST_LANES: usize = 16;

/// A population in 16 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(crate) struct Half(pub(crate) u16);

/// The number of values in a register.
pub(crate) const fn lanes<S: Simd, T: Packed>() -> usize {
    size_of::<T::Register<S>>() / size_of::<T>()
}
