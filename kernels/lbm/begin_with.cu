// Begins with a flow at equilibrium, on a coarser grid of a cycle; eq. (L24) of docs/src/theory/lbm.md.
//
// told: density less one and velocity of own cells. open: as in tell_coarser.cu; other cells are left. Writes f where
// populations arrive before a step of this parity.
#include "lbm/coarser.cuh"

KERNEL begin_with(const Layout layout, const PaddedCells padded, const Rates rates, const int parity, const Real* open,
                  const Real* told, Stored* f) {
    in_each_cell(layout, [&](const Indices& at, int64 number) {
        if (open[place_in(padded, at)] == Real(0)) return;
        Real h[Q];
        at_equilibrium(flow_told(layout, told, number), rates, h);
        put(layout, cell_at(layout, parity, at), h, f);
    });
}
