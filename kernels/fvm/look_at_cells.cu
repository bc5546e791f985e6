// The velocity that rounds of Anderson's acceleration look at; docs/src/theory/equations.md. Twin of `look` of `RoundsHere` in
// crates/core/src/steady/rounds_here.rs.
//
// u in m/s: own cells are read. Each thread writes its own cells of seen: without halos, one component after the other,
// as a share of `scale` in m/s.
#include "linear/layout.cuh"

KERNEL look_at_cells(const Layout layout, const Real scale, const Real* u, double* seen) {
    const int64 length = length_of(layout);
    const int64 cells = static_cast<int64>(layout.cells[0]) * layout.cells[1] * layout.cells[2];
    const Indices at = indices_of_thread();
    if (!is_own(layout, at)) return;
    const int64 line = at.j + static_cast<int64>(layout.cells[1]) * at.k;
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) {
        seen[c * cells + line * layout.cells[0] + at.i] = u[c * length + place_of(layout, at)] / scale;
    }
}
