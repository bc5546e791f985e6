// Velocity corrected by the pressure gradient; eq. (F8) of docs/src/theory/fdm.md.
//
// red, black: pressures in m2/s2, read with the halo cells on the low sides, without edges. f, g, h,
// u, v, w in m/s on low faces, padded rows. Each thread writes the faces of a column of own cells, except those with
// prescribed velocities. reductions: slots SPEED and the two after it, one for each component, and CHANGE are raised,
// in m/s.
#include "fdm/layout.cuh"
#include "fdm/reductions.cuh"
#include "fdm/interval.cuh"
#include "fdm/stencil.cuh"

// Cells that follow each other in direction LAST and are done by one thread. Mirrored in
// crates/fdm/src/gpu/numbers.rs.
constexpr int PROJECTED = 4;

// The largest magnitudes that a thread finds, by slot.
struct Motion {
    Bits most[CHANGE + 1];
};

// What a column of cells is projected from: pressures here and on the low sides, predictions, the velocities before and
// what the faces are.
struct ProjectedColumn {
    Real here[PROJECTED], low[PROJECTED][DIRECTIONS];
    Real predicted[PROJECTED][DIRECTIONS], last[PROJECTED][DIRECTIONS];
    unsigned char flags[PROJECTED];
};

// Loads a column of `length` cells from its first one on. All threads load as much, whether they need it or not, and all
// of it before anything is stored, so that no load waits.
INLINE ProjectedColumn column_from(const Layout& layout, const Cell& first, int length, const unsigned char* faces,
                          const Real* red, const Real* black, const Real* const predictions[3],
                          const Real* const velocities[3]) {
    ProjectedColumn column;
#pragma unroll
    for (int r = 0; r < PROJECTED; ++r) {
        const int step = min(r, length - 1);
        const bool is_red = first.is_red != (step & 1);
        const int64 whole = first.whole + step * stride_of(layout, LAST);
        const int64 half = first.half + step * half_stride_of(layout, LAST);
        const Real* const other = (is_red ? black : red) + half;
        column.here[r] = (is_red ? red : black)[half];
#pragma unroll
        for (int d = 0; d < DIRECTIONS; ++d) {
            // Below a cell lies the one before it in the column.
            column.low[r][d] = d == LAST && r > 0 ? column.here[r - 1]
                               : d == 0           ? other[first.start - 1]
                                                  : other[-half_stride_of(layout, d)];
            column.predicted[r][d] = predictions[d][whole];
            column.last[r][d] = velocities[d][whole];
        }
        column.flags[r] = faces[whole];
    }
    return column;
}

// Projects the faces of a column of `length` cells whose first lies at `whole`.
INLINE void project_column(const Layout& layout, const ProjectedColumn& column, int64 whole, int length, const Real* dt_h,
                           Real* const velocities[3], Motion& largest) {
#pragma unroll
    for (int r = 0; r < PROJECTED; ++r) {
        if (r >= length) break;
#pragma unroll
        for (int d = 0; d < DIRECTIONS; ++d) {
            const Real open = is_open(column.flags[r], d);
            const Real after = projected(column.predicted[r][d], column.low[r][d], column.here[r], dt_h[d], open);
            const Bits change = bits_of(open * (after - column.last[r][d]));
            largest.most[SPEED + d] = larger(largest.most[SPEED + d], bits_of(after));
            largest.most[CHANGE] = larger(largest.most[CHANGE], change);
            if (is_free(column.flags[r], d)) velocities[d][whole + r * stride_of(layout, LAST)] = after;
        }
    }
}

KERNEL project(const Layout layout, const Interval* interval, const unsigned char* faces,
               const Real* red, const Real* black, const Real* f, const Real* g, const Real* h,
               Real* u, Real* v, Real* w, Real* reductions) {
    const Real* const predictions[3] = {f, g, h};
    Real* const velocities[3] = {u, v, w};
    Motion motion = {{0, 0, 0, 0}};
    const Indices first = first_of(PROJECTED);
    if (is_own_cell(layout, first)) {
        Real dt_h[DIRECTIONS];
        for (int d = 0; d < DIRECTIONS; ++d) dt_h[d] = interval->dt_h[d];
        const Cell cell = cell_at(layout, first.i, first.j, first.k);
        const int length = length_from(layout, first, PROJECTED);
        const ProjectedColumn column = column_from(layout, cell, length, faces, red, black, predictions, velocities);
        project_column(layout, column, cell.whole, length, dt_h, velocities, motion);
    }
    note(reductions, SPEED, motion.most);
}
