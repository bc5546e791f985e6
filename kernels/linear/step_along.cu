// x = x + a p and r = r - a q; no equation. Twin of `axpy` in crates/linear/src/cpu/domain.rs.
//
// Vectors have padded rows, in any unit. Each thread writes one own cell, unless the iteration has
// ended. a: the number of a slot.
#include "linear/layout.cuh"
#include "linear/scalars.cuh"
#include "linear/stencil.cuh"

KERNEL step_along(const Layout layout, const int a, const Real* slots, const Real* p,
                  const Real* q, Real* x, Real* r) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at) || !is_running(slots)) return;
    const int64 here = place_of(layout, at);
    const Real step = scalar_of(slots, a);
    x[here] = axpy(step, p[here], x[here]);
    r[here] = axpy(-step, q[here], r[here]);
}
