// Right-hand side of the pressure equation; eq. (F5) of docs/src/theory/fdm.md.
//
// f, g, h in m/s on low faces, padded rows, are read on all faces of own cells. red, black in 1/s2:
// the right-hand sides of the cells of each colour; each thread writes that of one own cell.
#include "fdm/layout.cuh"
#include "fdm/interval.cuh"

KERNEL divergence(const Layout layout, const Interval* interval, const Real* f, const Real* g,
                  const Real* h, Real* red, Real* black) {
    const Indices indices = indices_of_thread();
    if (!is_own_cell(layout, indices)) return;
    const Cell cell = cell_at(layout, indices.i, indices.j, indices.k);
    const Real* const prediction[3] = {f + cell.whole, g + cell.whole, h + cell.whole};
    Real sum = Real(0);
    for (int d = 0; d < DIRECTIONS; ++d) {
        const Real* const low = prediction[d];
        sum += interval->inverse[d] * (low[stride_of(layout, d)] - low[0]);
    }
    (cell.is_red ? red : black)[cell.half] = sum;
}
