// The null space of the pressure correction's matrix; no equation. Twin of `prepare` in
// crates/linear/src/cpu/symmetric.rs.
//
// inverse: one over the sums of coefficients on the finest level; coarsest: the same on levels whose
// last cell, the only one of its level, is at `only`: zero if no end of the box has a given value.
// is_singular: whether that is so, 1 or 0. constants: each thread writes one own cell, 1 where there is
// an equation and 0 elsewhere.
#include "linear/layout.cuh"

KERNEL mark_constants(const Layout layout, const int64 only, const Real* inverse,
                      const Real* coarsest, Real* is_singular, Real* constants) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at)) return;
    const int64 here = place_of(layout, at);
    constants[here] = inverse[here] != Real(0) ? Real(1) : Real(0);
    if (at.i + at.j + at.k == 0) *is_singular = coarsest[only] == Real(0) ? Real(1) : Real(0);
}
