// The step of BiCGSTAB, x = (x + alpha y) + omega z and r = r - omega t; no equation. Twin of
// `axpy` in crates/linear/src/cpu/domain.rs.
//
// Vectors have padded rows, in any unit. Each thread writes one own cell, unless the iteration has
// ended.
#include "linear/layout.cuh"
#include "linear/scalars.cuh"
#include "linear/stencil.cuh"

KERNEL advance_solution(const Layout layout, const Real* slots, const Real* y, const Real* z,
                        const Real* t, Real* x, Real* r) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at) || !is_running(slots)) return;
    const int64 here = place_of(layout, at);
    const Real alpha = scalar_of(slots, Scalar::Alpha), omega = scalar_of(slots, Scalar::Omega);
    x[here] = axpy(omega, z[here], axpy(alpha, y[here], x[here]));
    r[here] = axpy(-omega, t[here], r[here]);
}
