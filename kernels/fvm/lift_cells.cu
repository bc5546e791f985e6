// Buoyancy in cells; eq. (H11) of docs/src/theory/heat.md. Twin of `complete` in crates/fvm/src/cpu/transported.rs.
//
// Arrays as in assemble.cu. theta: temperature in K, relative to the reference, is read with one halo cell, without
// edges. lifts in m/s2: each thread writes all components of one own cell.
#include "fvm/field.cuh"

KERNEL lift_cells(const Layout layout, const Fluid fluid, const unsigned char* kinds, const Real* theta,
                  Real* lifts) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at)) return;
    const int64 here = place_of(layout, at), length = length_of(layout);
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        const int64 stride = stride_of(layout, d);
        const int low = kind_of(kinds[here], d), high = kind_of(kinds[here + stride], d);
        lifts[d * length + here] =
            buoyancy(theta[here - stride], theta[here], theta[here + stride], low, high, fluid.lift[d]);
    }
}
