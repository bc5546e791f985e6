// The coarser grid's velocity, and what it is asked for; eq. (F24) of docs/src/theory/fdm.md.
//
// u, v, w after a step and kept_u, kept_v, kept_w before, in m/s; inverse: one over its length in 1/s. Of the coarser
// grid, each thread writes the low faces of its own cell and the high ones of the last cells: coarse_u, coarse_v, coarse_w
// in m/s and asked_u, asked_v, asked_w in m/s2.
#include "fdm/coarser.cuh"

KERNEL restrict_velocity(const Layout layout, const Layout coarser, const Real inverse, const Real* u, const Real* v,
                         const Real* w, const Real* kept_u, const Real* kept_v, const Real* kept_w, Real* coarse_u,
                         Real* coarse_v, Real* coarse_w, Real* asked_u, Real* asked_v, Real* asked_w) {
    const Real* const after[3] = {u, v, w};
    const Real* const before[3] = {kept_u, kept_v, kept_w};
    Real* const velocities[3] = {coarse_u, coarse_v, coarse_w};
    Real* const asked[3] = {asked_u, asked_v, asked_w};
    const Indices at = indices_of_thread();
    if (!is_own_cell(coarser, at)) return;
    on_faces_of(coarser, at, [&](int d, const Indices& face) {
        const int64 place = place_of(coarser, face);
        const Indices first = first_child_of(face);
        velocities[d][place] =
            mean_on_face(first, d, [&](const Indices& child) { return before[d][place_of(layout, child)]; });
        asked[d][place] = mean_on_face(first, d, [&](const Indices& child) {
            const int64 here = place_of(layout, child);
            return rate_of(after[d][here], before[d][here], inverse);
        });
    });
}
