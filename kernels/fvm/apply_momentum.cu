// y = A x with the matrix of a momentum equation; eq. (V8) of docs/src/theory/fvm.md. Twin of `apply` in
// crates/linear/src/cpu/general.rs.
//
// a in 1/s: coefficients of the neighbours, low and high of each direction, in halves; diagonal in 1/s, and
// inverse, which is zero in solids, where there is no equation. x in m/s: read with one halo cell,
// without edges. y in m/s2: each thread writes one own cell, unless the iteration has ended.
#include "linear/level.cuh"
#include "linear/scalars.cuh"

KERNEL apply_momentum(const Layout layout, const Real* slots, const Real* a, const Real* diagonal,
                      const Real* inverse, const Real* x, Real* y) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at) || !is_running(slots)) return;
    const int64 here = place_of(layout, at), in_halves = place_in_halves(layout, at), length = length_of(layout);
    const bool flows = inverse[here] != Real(0);
    Real coefficients[SIDES], beside[SIDES];
#pragma unroll
    for (int side = 0; side < SIDES; ++side) {
        coefficients[side] = flows ? a[side * length + in_halves] : Real(0);
    }
    take_beside(layout, x, here, beside);
    const Real centre = flows ? diagonal[here] : Real(0);
    y[here] = product_of(centre, x[here], sum_of(coefficients, beside));
}
