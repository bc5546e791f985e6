// Velocity corrected by the pressure gradient; eq. (F8) of docs/src/theory/fdm.md.
//
// red, black: pressures in m2/s2, read with the halo cells on the low sides, without edges. f, g, h,
// u, v, w in m/s on low faces, padded rows. Each thread writes the faces of one own cell, except
// those with prescribed velocities. found: slots SPEED and the two after it, one for each
// component, and CHANGE are raised, in m/s.
#include "fdm/layout.cuh"
#include "fdm/found.cuh"
#include "fdm/interval.cuh"
#include "fdm/stencil.cuh"

// What a thread finds, by slot.
struct Motion {
    Bits most[CHANGE + 1];
};

// Projects the faces of a cell.
INLINE Motion project_cell(const Layout& layout, const Cell& cell, const Real* dt_h,
                           unsigned char flags, const Real* red, const Real* black,
                           const Real* const predictions[3], Real* const velocities[3]) {
    const Real here = (cell.is_red ? red : black)[cell.half];
    const Real* const other = (cell.is_red ? black : red) + cell.half;
    Real before[DIRECTIONS], predicted[DIRECTIONS], last[DIRECTIONS];
    for (int d = 0; d < DIRECTIONS; ++d) {
        before[d] = other[d == 0 ? cell.start - 1 : -half_stride_of(layout, d)];
        predicted[d] = predictions[d][cell.whole];
        last[d] = velocities[d][cell.whole];
    }
    Motion found = {{0, 0, 0, 0}};
    for (int d = 0; d < DIRECTIONS; ++d) {
        const Real open = is_open(flags, d);
        const Real after = projected(predicted[d], before[d], here, dt_h[d], open);
        found.most[SPEED + d] = bits_of(after);
        found.most[CHANGE] = larger(found.most[CHANGE], bits_of(open * (after - last[d])));
        if (is_free(flags, d)) velocities[d][cell.whole] = after;
    }
    return found;
}

KERNEL project(const Layout layout, const Interval* interval, const unsigned char* faces,
               const Real* red, const Real* black, const Real* f, const Real* g, const Real* h,
               Real* u, Real* v, Real* w, Real* found) {
    const Indices indices = indices_of_thread();
    const Real* const predictions[3] = {f, g, h};
    Real* const velocities[3] = {u, v, w};
    Motion motion = {{0, 0, 0, 0}};
    if (is_own_cell(layout, indices)) {
        const Cell cell = cell_at(layout, indices.i, indices.j, indices.k);
        motion = project_cell(layout, cell, interval->dt_h, faces[cell.whole], red, black,
                              predictions, velocities);
    }
    note(found, SPEED, motion.most);
}
