// Largest change of a velocity on an open face since a cycle began; no equation. Twin of `largest_change` in
// crates/fdm/src/cpu/coarser.rs.
//
// u, v, w now and begun_u, begun_v, begun_w then, in m/s, on low faces of own cells. reductions: slot CHANGE is raised, in
// m/s.
#include "fdm/coarser.cuh"
#include "fdm/reductions.cuh"

KERNEL largest_change(const Layout layout, const unsigned char* faces, const Real* u, const Real* v, const Real* w,
                      const Real* begun_u, const Real* begun_v, const Real* begun_w, Real* reductions) {
    const Real* const now[3] = {u, v, w};
    const Real* const begun[3] = {begun_u, begun_v, begun_w};
    Bits most[1] = {0};
    const Indices at = indices_of_thread();
    if (is_own_cell(layout, at)) {
        const int64 here = place_of(layout, at);
#pragma unroll
        for (int d = 0; d < DIRECTIONS; ++d) {
            most[0] = larger(most[0], bits_of(is_open(faces[here], d) * (now[d][here] - begun[d][here])));
        }
    }
    note(reductions, CHANGE, most);
}
