// The next direction of BiCGSTAB, p = r + beta (p - omega v); no equation. Twin of `direction` in
// crates/linear/src/cpu/domain.rs.
//
// Vectors have padded rows, in any unit. Each thread writes one own cell, unless the iteration has
// ended.
#include "linear/layout.cuh"
#include "linear/scalars.cuh"
#include "linear/stencil.cuh"

KERNEL next_direction(const Layout layout, const Real* slots, const Real* r, const Real* v,
                      Real* p) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at) || !is_running(slots)) return;
    const int64 here = place_of(layout, at);
    const Real beta = scalar_of(slots, Scalar::Beta), omega = scalar_of(slots, Scalar::Omega);
    p[here] = direction(r[here], beta, p[here], omega, v[here]);
}
