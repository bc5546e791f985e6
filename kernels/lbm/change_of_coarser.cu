// How the flow of a coarser grid has changed; eq. (L25) of docs/src/theory/lbm.md.
//
// f: populations before a step of this parity; after: the flow that the grid began with; open: as in tell_coarser.cu. Each
// thread writes its own cells of change, in padded places, one number of the flow after the other.
#include "lbm/coarser.cuh"

KERNEL change_of_coarser(const Layout layout, const PaddedCells padded, const Rates rates, const int parity, const Real* open,
                         const Real* after, const Stored* f, Real* change) {
    in_each_cell(layout, [&](const Indices& at, int64 number) {
        const int64 place = place_in(padded, at);
        if (open[place] == Real(0)) return;
        Real h[Q];
        take(layout, cell_at(layout, parity, at), f, h);
        const Flow now = flow_found(h, rates), told = flow_told(layout, after, number);
        for (int n = 0; n < FLOW; ++n) change[n * padded.cells + place] = now.of[n] - told.of[n];
    });
}
