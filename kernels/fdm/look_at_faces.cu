// The velocity that rounds of Anderson's acceleration look at; docs/src/theory/equations.md. Twin of `look` of `RoundsHere` in
// crates/core/src/steady/rounds_here.rs.
//
// u, v, w in m/s, on the faces of own cells. Each thread writes its own cells of seen: means over the two faces across a
// direction, without halos, one component after the other, as a share of `scale` in m/s.
#include "fdm/coarser.cuh"

KERNEL look_at_faces(const Layout layout, const double scale, const Real* u, const Real* v, const Real* w, double* seen) {
    const Real* const now[3] = {u, v, w};
    const Indices at = indices_of_thread();
    if (!is_own_cell(layout, at)) return;
    const int64 here = place_of(layout, at), line = at.j + static_cast<int64>(layout.cells[1]) * at.k;
    const int64 cells = static_cast<int64>(layout.cells[0]) * layout.cells[1] * layout.cells[2];
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        const double low = now[d][here], high = now[d][here + stride_of(layout, d)];
        seen[d * cells + line * layout.cells[0] + at.i] = 0.5 * (low + high) / scale;
    }
}
