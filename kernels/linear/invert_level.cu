// One over the sums of the coefficients of a level's cells; no equation. Twin of `invert` in
// crates/linear/src/cpu/multigrid/prepare.rs.
//
// Arrays as in relax_level.cu. c: read on low faces of own cells and on the high ones of the last. Each
// thread writes one own cell of `inverse`.
#include "linear/level.cuh"

KERNEL invert_level(const Layout layout, const Real* c, Real* inverse) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at)) return;
    const int64 here = place_of(layout, at);
    inverse[layout.first + here] = inverse_at(layout, coefficients_of(layout, c), here);
}
