//! Vectors that loops are compiled for.

use pulp::Arch;

/// Whether loops are compiled for the widest vectors too, and not for those of AVX2 alone.
pub const ALL_REGISTERS: bool = cfg!(all_registers);

/// Runs a loop with the widest vectors that the processor has and that it is compiled for.
#[cfg(all(target_arch = "x86_64", not(all_registers)))]
#[inline(always)]
pub(crate) fn vectorised<R>(arch: Arch, compute: impl FnOnce() -> R) -> R {
    use pulp::Simd;
    match arch {
        Arch::V4(simd) => Simd::vectorize(*simd, compute),
        Arch::V3(simd) => Simd::vectorize(simd, compute),
        _ => compute(),
    }
}

/// Runs a loop with the widest vectors that the processor has.
#[cfg(not(all(target_arch = "x86_64", not(all_registers))))]
#[inline(always)]
pub(crate) fn vectorised<R>(arch: Arch, compute: impl FnOnce() -> R) -> R {
    arch.dispatch(compute)
}
