// One colour of Gauss-Seidel on a level of the multigrid hierarchy; no equation. Twin of `relax` in
// crates/linear/src/cpu/multigrid.rs.
//
// Arrays of all levels in padded rows, of which the level at layout.first is meant, in any unit. c:
// coefficients of low faces, one direction after the other; inverse: one over their sums; b:
// right-hand sides. x: the unknown, read with one halo cell, without edges; each thread takes one own
// cell of the colour, with its halo cells, see `put`, to the value that satisfies its equation, or part
// of the way or further if omega is not 1. With from_zero the unknown is known to be zero,
// whatever x holds, and the thread writes the zero of the cell beside, too.
#include "linear/level.cuh"

KERNEL relax_level(const Layout layout, const int colour, const Real omega,
                   const int from_zero, const Real* c, const Real* inverse, const Real* b, Real* x) {
    Indices at = indices_of_thread();
    const int start = first_of(layout, colour, at.j, at.k), pair = 2 * at.i;
    at.i = pair + start;
    const int64 first = layout.first;
    if (from_zero) {
        const Indices other = {pair + 1 - start, at.j, at.k};
        if (is_own(layout, other)) {
            put(layout, other, x + first, place_of(layout, other), Real(0));
        }
    }
    if (!is_own(layout, at)) return;
    const int64 here = place_of(layout, at);
    Real value;
    if (from_zero) {
        value = relaxed(inverse[first + here], b[first + here], Real(0));
        if (omega != Real(1)) value = weighted(Real(0), omega, value);
    } else {
        value = relaxed_at(layout, omega, coefficients_of(layout, c), inverse + first, b + first,
                           x + first, here);
    }
    put(layout, at, x + first, here, value);
}
