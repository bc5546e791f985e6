// New velocities in the cells of one colour, from those of the other; eq. (V8) of
// docs/src/theory/fvm.md. Twin of `relax` in crates/fvm/src/cpu/momentum.rs.
//
// All arrays are in halves, see place_in_halves. a in 1/s: coefficients of the neighbours, low and high of each direction; b in
// m/s2: right-hand sides of all components. halves: velocities in m/s, read with one halo cell, without edges, and one over the
// diagonal in s, see halve_rows.cu; each thread writes all components of one own cell, with its halo cells.
#include "linear/level.cuh"

KERNEL relax_momentum(const Layout layout, const int colour, const Real* a, const Real* b, Real* halves) {
    Indices at = indices_of_thread();
    at.i = 2 * at.i + first_of(layout, colour, at.j, at.k);
    if (!is_own(layout, at)) return;
    const int64 here = place_in_halves(layout, at), length = length_of(layout);
    Real coefficients[SIDES];
#pragma unroll
    for (int side = 0; side < SIDES; ++side) coefficients[side] = a[side * length + here];
    const Real scale = halves[DIRECTIONS * length + here];
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) {
        Real* const mine = halves + c * length;
        Real beside[SIDES];
        take_beside_in_halves(layout, at, mine, here, beside);
        const Real value = relaxed(scale, b[c * length + here], sum_of(coefficients, beside));
        put_in_halves(layout, at, mine, here, value);
    }
}
