// The same on outlets; eq. (F25) of docs/src/theory/fdm.md.
//
// coarse_u, coarse_v, coarse_w, begun_u, begun_v, begun_w as in prolong_velocity.cu. u, v, w in m/s: each entry of
// `outlets` changes its face, beside an own cell.
#include "fdm/boundary.cuh"
#include "fdm/coarser.cuh"

KERNEL prolong_outlets(const int entries, const Layout layout, const Layout coarser, const Outlet* outlets,
                       const Real* coarse_u, const Real* coarse_v, const Real* coarse_w, const Real* begun_u,
                       const Real* begun_v, const Real* begun_w, Real* u, Real* v, Real* w) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= entries) return;
    const int a = outlets[n].component;
    const int64 place = outlets[n].face, row = place / layout.row;
    const Indices at = {static_cast<int>(place % layout.row) - 1, static_cast<int>(row % layout.rows) - 1,
                        static_cast<int>(row / layout.rows) - layout.halo};
    const int own[3] = {at.i, at.j, at.k};
    for (int d = 0; d < 3; ++d) {
        if (d != a && (own[d] < 0 || own[d] >= layout.cells[d])) return;
    }
    component_of(a, u, v, w)[place] += correction_at(coarser, component_of(a, coarse_u, coarse_v, coarse_w),
                                                     component_of(a, begun_u, begun_v, begun_w), a, at);
}
