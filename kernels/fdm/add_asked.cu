// Adds what is asked for to the prediction; eq. (F23) of docs/src/theory/fdm.md.
//
// asked_u, asked_v, asked_w in m/s2 and f, g, h in m/s on low faces, padded rows: each thread changes those of its own
// cell and the high ones of the last cells.
#include "fdm/coarser.cuh"
#include "fdm/interval.cuh"

KERNEL add_asked(const Layout layout, const Interval* interval, const Real* asked_u, const Real* asked_v,
                 const Real* asked_w, Real* f, Real* g, Real* h) {
    const Real* const asked[3] = {asked_u, asked_v, asked_w};
    Real* const predictions[3] = {f, g, h};
    const Indices at = indices_of_thread();
    if (!is_own_cell(layout, at)) return;
    const Real dt = interval->dt;
    on_faces_of(layout, at, [&](int d, const Indices& face) {
        const int64 place = place_of(layout, face);
        predictions[d][place] += dt * asked[d][place];
    });
}
