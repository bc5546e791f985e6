// r = b - q; no equation. Twin of `subtract` in crates/linear/src/cpu/domain.rs.
//
// Vectors have padded rows, in any unit. Each thread writes one own cell, unless the iteration has
// ended.
#include "linear/layout.cuh"
#include "linear/scalars.cuh"

KERNEL subtract_cells(const Layout layout, const Real* slots, const Real* b, const Real* q,
                      Real* r) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at) || !is_running(slots)) return;
    const int64 here = place_of(layout, at);
    r[here] = b[here] - q[here];
}
