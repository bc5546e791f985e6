// y = x + b y; no equation. Twin of `xpby` in crates/linear/src/cpu/domain.rs.
//
// Vectors have padded rows, in any unit. Each thread writes one own cell, unless the iteration has
// ended. b: the number of a slot.
#include "linear/layout.cuh"
#include "linear/scalars.cuh"
#include "linear/stencil.cuh"

KERNEL multiply_and_add(const Layout layout, const int b, const Real* slots, const Real* x,
                        Real* y) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at) || !is_running(slots)) return;
    const int64 here = place_of(layout, at);
    y[here] = axpy(scalar_of(slots, b), y[here], x[here]);
}
