// What a step did is asked for, or taken from what is; eqs. (F23), (F24) of docs/src/theory/fdm.md.
//
// u, v, w after the step and begun_u, begun_v, begun_w before, in m/s; inverse: one over its length in 1/s; is_less: zero
// if what was asked for is forgotten. asked_u, asked_v, asked_w in m/s2: each thread writes those of the low faces of its
// own cell and the high ones of the last cells.
#include "fdm/coarser.cuh"

KERNEL ask_for(const Layout layout, const Real inverse, const int is_less, const Real* u, const Real* v, const Real* w,
               const Real* begun_u, const Real* begun_v, const Real* begun_w, Real* asked_u, Real* asked_v,
               Real* asked_w) {
    const Real* const after[3] = {u, v, w};
    const Real* const before[3] = {begun_u, begun_v, begun_w};
    Real* const asked[3] = {asked_u, asked_v, asked_w};
    const Indices at = indices_of_thread();
    if (!is_own_cell(layout, at)) return;
    on_faces_of(layout, at, [&](int d, const Indices& face) {
        const int64 place = place_of(layout, face);
        const Real rate = rate_of(after[d][place], before[d][place], inverse);
        asked[d][place] = is_less ? asked[d][place] - rate : rate;
    });
}
