// Right-hand side of the pressure equation; eq. (F5) of docs/src/theory/fdm.md.
//
// f, g, h in m/s on low faces, padded rows, are read on all faces of own cells. red, black in 1/s2:
// the right-hand sides of the cells of each colour; each thread writes those of two own cells that
// follow each other in direction LAST.
#include "fdm/layout.cuh"
#include "fdm/interval.cuh"

// Divergence / dt in 1/s2 of the cell whose low faces begin at place `at`.
INLINE Real divergence_at(const Layout& layout, const Interval* interval,
                          const Real* const prediction[3], int64 at) {
    Real sum = Real(0);
    for (int d = 0; d < DIRECTIONS; ++d) {
        const Real* const low = prediction[d] + at;
        sum += interval->inverse[d] * (low[stride_of(layout, d)] - low[0]);
    }
    return sum;
}

KERNEL divergence(const Layout layout, const Interval* interval, const Real* f, const Real* g,
                  const Real* h, Real* red, Real* black) {
    Indices indices = indices_of_thread();
    (LAST == 1 ? indices.j : indices.k) *= 2;
    if (!is_own_cell(layout, indices)) return;
    const Cell cell = cell_at(layout, indices.i, indices.j, indices.k);
    const bool is_last = (LAST == 1 ? indices.j : indices.k) + 1 == layout.cells[LAST];
    const Real* const prediction[3] = {f, g, h};
    // Both are computed before one is written, so that all loads are under way together.
    const int64 next = cell.whole + (is_last ? 0 : stride_of(layout, LAST));
    const Real one = divergence_at(layout, interval, prediction, cell.whole);
    const Real two = divergence_at(layout, interval, prediction, next);
    (cell.is_red ? red : black)[cell.half] = one;
    if (!is_last) (cell.is_red ? black : red)[cell.half + half_stride_of(layout, LAST)] = two;
}
