// Adds what the coarser grid's velocity has changed, on open faces; eq. (F25) of docs/src/theory/fdm.md.
//
// coarse_u, coarse_v, coarse_w now and begun_u, begun_v, begun_w as it began, in m/s, with halos and ghost values. u, v, w
// in m/s: each thread changes the low faces of its own cell.
#include "fdm/coarser.cuh"

KERNEL prolong_velocity(const Layout layout, const Layout coarser, const unsigned char* faces, const Real* coarse_u,
                        const Real* coarse_v, const Real* coarse_w, const Real* begun_u, const Real* begun_v,
                        const Real* begun_w, Real* u, Real* v, Real* w) {
    const Real* const now[3] = {coarse_u, coarse_v, coarse_w};
    const Real* const begun[3] = {begun_u, begun_v, begun_w};
    Real* const velocities[3] = {u, v, w};
    const Indices at = indices_of_thread();
    if (!is_own_cell(layout, at)) return;
    const int64 here = place_of(layout, at);
    const unsigned char flags = faces[here];
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        velocities[d][here] += is_open(flags, d) * correction_at(coarser, now[d], begun[d], d, at);
    }
}
