// z = m r, cell by cell; no equation. Twin of `multiply` in crates/linear/src/cpu/domain.rs.
//
// Vectors have padded rows, in any unit. Each thread writes one own cell, unless the iteration has
// ended.
#include "linear/layout.cuh"
#include "linear/scalars.cuh"

KERNEL multiply_cells(const Layout layout, const Real* slots, const Real* m, const Real* r,
                      Real* z) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at) || !is_running(slots)) return;
    const int64 here = place_of(layout, at);
    z[here] = m[here] * r[here];
}
