// Copies a vector; no equation. Twin of `copy` in crates/linear/src/cpu/domain.rs.
//
// Vectors have padded rows, in any unit. Each thread writes one own cell of y: if `flag` is
// negative, unless the iteration has ended; otherwise if the slot of that number is not zero.
#include "linear/layout.cuh"
#include "linear/scalars.cuh"

KERNEL copy_cells(const Layout layout, const int flag, const Real* slots, const Real* x, Real* y) {
    const Indices at = indices_of_thread();
    const bool wanted = flag < 0 ? is_running(slots) : scalar_of(slots, flag) != Real(0);
    if (!is_own(layout, at) || !wanted) return;
    const int64 here = place_of(layout, at);
    y[here] = x[here];
}
