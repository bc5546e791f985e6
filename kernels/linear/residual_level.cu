// b - A x on a level; no equation. Twin of `find_residual` in crates/linear/src/cpu/multigrid.rs.
//
// Arrays as in relax_level.cu. x: read with one halo cell, without edges. r: each thread writes one
// own cell.
#include "linear/level.cuh"

KERNEL residual_level(const Layout layout, const Real* c, const Real* b, const Real* x, Real* r) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at)) return;
    const int64 first = layout.first, here = place_of(layout, at);
    r[first + here] =
        residual_at(layout, coefficients_of(layout, c), b + first, x + first, here);
}
