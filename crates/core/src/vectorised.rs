//! Loops over numbers with the widest vectors that the processor has.

/// Runs a loop with them. Closures and functions that are marked `#[inline(always)]` are compiled for them; each
/// number has the bits that it has without.
#[inline(always)]
pub(crate) fn vectorised<R>(compute: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(compute)
}
