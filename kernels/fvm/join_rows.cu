// The reverse of halve_rows.cu for the velocity; no equation. Arrays as there; each thread writes all components of one own cell.
#include "linear/layout.cuh"

KERNEL join_rows(const Layout layout, const Real* halves, Real* u) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at)) return;
    const int64 here = place_of(layout, at), there = place_in_halves(layout, at), length = length_of(layout);
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) u[c * length + here] = halves[c * length + there];
}
