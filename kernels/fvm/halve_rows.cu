// Velocities and one over the diagonal in halves, as sweeps want them; no equation.
//
// u in m/s and inverse in s have padded rows; thread n moves the value n of each component to its place in halves, see
// place_in_halves, one component after the other, the inverse last.
#include "linear/layout.cuh"

KERNEL halve_rows(const Layout layout, const Real* u, const Real* inverse, Real* halves) {
    const int64 here = threadIdx.x + static_cast<int64>(blockDim.x) * blockIdx.x, length = length_of(layout);
    if (here >= length) return;
    const int64 there = place_in_halves(layout, here);
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) halves[c * length + there] = u[c * length + here];
    halves[DIRECTIONS * length + there] = inverse[here];
}
