// Tells the next coarser grid of a cycle means of the flow; eq. (L23) of docs/src/theory/lbm.md.
//
// f: populations of the grid `layout` before a step of this parity. open: one in cells of the coarser grid that are in the
// flow, else zero, in its padded places. Each thread writes its own cells of told, the coarser grid's flow.
#include "lbm/coarser.cuh"

KERNEL tell_coarser(const Layout layout, const Layout coarser, const PaddedCells padded, const Rates rates, const int parity,
                    const Real* open, const Stored* f, Real* told) {
    const bool is_plane = layout.cells[2] == coarser.cells[2];
    in_each_cell(coarser, [&](const Indices& at, int64 number) {
        Flow sum = {};
        if (open[place_in(padded, at)] != Real(0)) {
            const auto found = [&](int i, int j, int k) {
                const Indices child = {2 * at.i + i, 2 * at.j + j, (is_plane ? at.k : 2 * at.k) + k};
                Real h[Q];
                take(layout, cell_at(layout, parity, child), f, h);
                return flow_found(h, rates);
            };
            for (int k = 0; k < (is_plane ? 1 : 2); ++k) {
                Flow plane;
                for (int j = 0; j < 2; ++j) {
                    const Flow one = found(0, j, k), other = found(1, j, k);
                    for (int n = 0; n < FLOW; ++n) {
                        const Real pair = one.of[n] + other.of[n];
                        plane.of[n] = j == 0 ? pair : plane.of[n] + pair;
                    }
                }
                for (int n = 0; n < FLOW; ++n) sum.of[n] = k == 0 ? plane.of[n] : sum.of[n] + plane.of[n];
            }
            for (int n = 0; n < FLOW; ++n) sum.of[n] = (is_plane ? Real(0.25) : Real(0.125)) * sum.of[n];
        }
        for (int n = 0; n < FLOW; ++n) told[n * cells_of(coarser) + number] = sum.of[n];
    });
}
