// New corrections of the temperature in the cells of one colour, from those of the other; eq. (H12) of
// docs/src/theory/heat.md. Twin of `relax` in crates/fvm/src/cpu/transported.rs.
//
// All arrays are in halves, see place_in_halves. a in 1/s: coefficients of the neighbours, low and high of each direction;
// inverse in s; residual in K/s. correction in K: read with one halo cell, without edges; each thread writes one own cell, with
// its halo cells.
#include "linear/level.cuh"

KERNEL relax_temperature(const Layout layout, const int colour, const Real* a, const Real* inverse,
                         const Real* residual, Real* correction) {
    Indices at = indices_of_thread();
    at.i = 2 * at.i + first_of(layout, colour, at.j, at.k);
    if (!is_own(layout, at)) return;
    const int64 here = place_in_halves(layout, at), length = length_of(layout);
    Real coefficients[SIDES], beside[SIDES];
#pragma unroll
    for (int side = 0; side < SIDES; ++side) coefficients[side] = a[side * length + here];
    take_beside_in_halves(layout, at, correction, here, beside);
    const Real value = relaxed(inverse[here], residual[here], sum_of(coefficients, beside));
    put_in_halves(layout, at, correction, here, value);
}
