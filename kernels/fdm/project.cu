// Velocity corrected by the pressure gradient; eq. (F8) of docs/src/theory/fdm.md.
//
// red, black: pressures in m2/s2, read with the halo cells on the low sides, without edges. f, g, h,
// u, v, w in m/s on low faces, padded rows. Each thread writes the faces of own cells, except those with
// prescribed velocities, and goes on in direction LAST. reductions: slots SPEED and the two after it, one for each
// component, and CHANGE are raised, in m/s.
#include "fdm/layout.cuh"
#include "fdm/reductions.cuh"
#include "fdm/interval.cuh"
#include "fdm/stencil.cuh"

// The largest magnitudes that a thread finds, by slot.
struct Motion {
    Bits most[CHANGE + 1];
};

// Projects the faces of a cell.
INLINE void project_cell(const Layout& layout, const Cell& cell, const Real* dt_h,
                         unsigned char flags, const Real* red, const Real* black,
                         const Real* const predictions[3], Real* const velocities[3],
                         Motion& largest) {
    const Real here = (cell.is_red ? red : black)[cell.half];
    const Real* const other = (cell.is_red ? black : red) + cell.half;
    Real before[DIRECTIONS], predicted[DIRECTIONS], last[DIRECTIONS];
    for (int d = 0; d < DIRECTIONS; ++d) {
        before[d] = other[d == 0 ? cell.start - 1 : -half_stride_of(layout, d)];
        predicted[d] = predictions[d][cell.whole];
        last[d] = velocities[d][cell.whole];
    }
    for (int d = 0; d < DIRECTIONS; ++d) {
        const Real open = is_open(flags, d);
        const Real after = projected(predicted[d], before[d], here, dt_h[d], open);
        const Bits change = bits_of(open * (after - last[d]));
        largest.most[SPEED + d] = larger(largest.most[SPEED + d], bits_of(after));
        largest.most[CHANGE] = larger(largest.most[CHANGE], change);
        if (is_free(flags, d)) velocities[d][cell.whole] = after;
    }
}

KERNEL project(const Layout layout, const Interval* interval, const unsigned char* faces,
               const Real* red, const Real* black, const Real* f, const Real* g, const Real* h,
               Real* u, Real* v, Real* w, Real* reductions) {
    const Real* const predictions[3] = {f, g, h};
    Real* const velocities[3] = {u, v, w};
    Real dt_h[DIRECTIONS];
    for (int d = 0; d < DIRECTIONS; ++d) dt_h[d] = interval->dt_h[d];
    Motion motion = {{0, 0, 0, 0}};
    for (Indices at = indices_of_thread(); is_own_cell(layout, at); advance(at)) {
        const Cell cell = cell_at(layout, at.i, at.j, at.k);
        project_cell(layout, cell, dt_h, faces[cell.whole], red, black, predictions, velocities,
                     motion);
    }
    note(reductions, SPEED, motion.most);
}
