// y = y + a x; no equation. Twin of `axpy` in crates/linear/src/cpu/domain.rs.
//
// Vectors have padded rows, in any unit. Each thread writes one own cell, unless the iteration has
// ended. a: sign times the scalar in a slot.
#include "linear/layout.cuh"
#include "linear/scalars.cuh"
#include "linear/stencil.cuh"

KERNEL add_multiple(const Layout layout, const int a, const Real sign, const Real* slots,
                    const Real* x, Real* y) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at) || !is_running(slots)) return;
    const int64 here = place_of(layout, at);
    y[here] = axpy(sign * scalar_of(slots, a), x[here], y[here]);
}
