// Puts populations that were mixed where they arrive before a step of this parity; docs/src/theory/equations.md.
//
// mixed: as look_at_populations.cu writes them.
#include "lbm/coarser.cuh"

KERNEL put_populations(const Layout layout, const int parity, const Real* mixed, Stored* f) {
    in_each_cell(layout, [&](const Indices& at, int64 number) {
        Real h[Q];
#pragma unroll
        for (int q = 0; q < Q; ++q) h[q] = mixed[q * cells_of(layout) + number];
        put(layout, cell_at(layout, parity, at), h, f);
    });
}
