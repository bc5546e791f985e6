// y = A x on the finest level of the multigrid hierarchy; no equation. Twin of `apply` in
// crates/linear/src/cpu/symmetric.rs.
//
// Arrays as in relax_level.cu. x: read with one halo cell, without edges. y: each thread writes one own
// cell, unless the iteration has ended.
#include "linear/level.cuh"
#include "linear/scalars.cuh"

KERNEL apply_level(const Layout layout, const Real* slots, const Real* c, const Real* x, Real* y) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at) || !is_running(slots)) return;
    const int64 here = place_of(layout, at);
    Real sides[SIDES], beside[SIDES];
    take_sides(layout, c, here, sides);
    take_beside(layout, x, here, beside);
    y[here] = product_of(diagonal_of(sides), x[here], sum_of(sides, beside));
}
