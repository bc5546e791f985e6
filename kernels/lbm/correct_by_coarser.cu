// Adds how the flow of the coarser grid of a cycle has changed; eq. (L25) of docs/src/theory/lbm.md.
//
// open and change are of the coarser grid `coarser`, whose places are `padded`: see tell_coarser.cu and change_of_coarser.cu.
// f: populations of the grid `layout` where they arrive before a step of this parity.
#include "lbm/coarser.cuh"

KERNEL correct_by_coarser(const Layout layout, const Layout coarser, const PaddedCells padded, const Rates rates, const int parity,
                          const Real* open, const Real* change, Stored* f) {
    const bool is_plane = layout.cells[2] == coarser.cells[2];
    in_each_cell(layout, [&](const Indices& at, int64) {
        const int64 here = place_in(padded, {at.i / 2, at.j / 2, is_plane ? at.k : at.k / 2});
        if (open[here] == Real(0)) return;
        const int own[3] = {at.i, at.j, at.k};
        const Cell cell = cell_at(layout, parity, at);
        Real h[Q], first[Q], then[Q];
        take(layout, cell, f, h);
        const Flow before = flow_found(h, rates);
        Flow after;
        for (int n = 0; n < FLOW; ++n) {
            const Real* const of = change + n * padded.cells;
            const auto beside = [&](int d) {
                const int64 next = own[d] & 1 ? here + padded.stride[d] : here - padded.stride[d];
                return open[next] * (of[next] - of[here]);
            };
            Real sum = beside(0) + beside(1);
            if (!is_plane) sum = sum + beside(2);
            after.of[n] = before.of[n] + (of[here] + Real(0.25) * sum);
        }
        at_equilibrium(before, rates, first);
        at_equilibrium(after, rates, then);
#pragma unroll
        for (int q = 0; q < Q; ++q) h[q] = h[q] + (then[q] - first[q]);
        put(layout, cell, h, f);
    });
}
