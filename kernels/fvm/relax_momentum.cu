// New velocities in the cells of one colour, from those of the other; eq. (V8) of
// docs/src/theory/fvm.md. Twin of `relax` in crates/fvm/src/cpu/momentum.rs.
//
// a in 1/s: coefficients of the neighbours, low and high of each direction; b in m/s2: right-hand sides of all components;
// both by colour, see place_by_colour. inverse in s. u in m/s: read with one halo cell, without edges; each thread
// writes all components of one own cell, with its halo cells, see `put`.
#include "linear/level.cuh"

KERNEL relax_momentum(const Layout layout, const int colour, const Real* a, const Real* inverse,
                      const Real* b, Real* u) {
    Indices at = indices_of_thread();
    at.i = 2 * at.i + first_of(layout, colour, at.j, at.k);
    if (!is_own(layout, at)) return;
    const int64 here = place_of(layout, at), by_colour = place_by_colour(layout, at), length = length_of(layout);
    Real coefficients[SIDES];
#pragma unroll
    for (int side = 0; side < SIDES; ++side) coefficients[side] = a[side * length + by_colour];
    const Real scale = inverse[here];
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) {
        Real* const mine = u + c * length;
        Real beside[SIDES];
        take_beside(layout, mine, here, beside);
        const Real value = relaxed(scale, b[c * length + by_colour], sum_of(coefficients, beside));
        put(layout, at, mine, here, value);
    }
}
