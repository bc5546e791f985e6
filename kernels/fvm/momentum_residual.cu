// What is missing in the momentum equation of one component; eq. (V8) of docs/src/theory/fvm.md. Twin of
// `momentum_residual` in crates/fvm/src/cpu/momentum.rs.
//
// Arrays as in relax_momentum.cu, diagonal in 1/s. missing in m/s2: each thread writes one own
// cell, zero in solids.
#include "linear/level.cuh"

KERNEL momentum_residual(const Layout layout, const int component, const Real* a, const Real* diagonal,
                    const Real* inverse, const Real* b, const Real* u, Real* residual) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at)) return;
    const int64 here = place_of(layout, at), in_halves = place_in_halves(layout, at), length = length_of(layout);
    const Real* const mine = u + component * length;
    Real coefficients[SIDES], beside[SIDES];
#pragma unroll
    for (int side = 0; side < SIDES; ++side) coefficients[side] = a[side * length + in_halves];
    take_beside(layout, mine, here, beside);
    const Real misfit = residual_of(b[component * length + in_halves], sum_of(coefficients, beside),
                                      diagonal[here], mine[here]);
    residual[here] = inverse[here] == Real(0) ? Real(0) : misfit;
}
