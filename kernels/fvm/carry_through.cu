// Velocities at a convective outlet from those inside and, in time, those after the last steps, and what leaves;
// eq. (V20) of docs/src/theory/fvm.md. Twin of `carry` in crates/fvm/src/carried.rs.
//
// faces: `count` of them, across `direction`, each of one thread. rate in 1/s: the outlet's speed over half of the
// spacing; outward: 1 where a positive velocity leaves, else -1. u, u_last, u_before in m/s, one component after the
// other: each thread writes all components of u in its ghost cell. leak, in units of which `units` are 1 m/s, is added
// to; what is too large goes round.
#include "fvm/carried_face.cuh"

KERNEL carry_through(const Layout layout, const Factors* factors, const Real rate, const Real outward,
                     const Real units, const int direction, const int count, const CarriedFace* faces,
                     const Real* u_last, const Real* u_before, Real* u, uint64* leak) {
    const int64 entry = threadIdx.x + static_cast<int64>(blockDim.x) * blockIdx.x;
    if (entry >= count) return;
    const CarriedFace at = faces[entry];
    const int64 length = length_of(layout);
    for (int c = 0; c < DIRECTIONS; ++c) {
        const int64 ghost = c * length + at.ghost;
        Real known = 0;
        if (!is_steady(*factors)) {
            known = factors->last * u_last[ghost] - factors->before * u_before[ghost];
        }
        u[ghost] = carried(known, u[c * length + at.inner], rate, factors->latest);
    }
    const int64 flux = flux_in_units(outward * u[direction * length + at.ghost], units);
    if (flux != 0) atomicAdd(leak, static_cast<uint64>(flux));
}
