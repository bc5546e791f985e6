// Whether the populations at rest are finite; a collision makes them all that any other population of
// their cell is. Twin of `are_finite` in crates/lbm/src/watch.rs.
//
// f: populations less their weights, in the places of layout.cuh; read those at rest of own cells.
// broken: becomes 1 if one of them is not finite, and stays 1. Thread x does cells of every so many
// planes.
#include "lbm/layout.cuh"

KERNEL finite(const Layout layout, const Stored* f, int* broken) {
    bool all = true;
    for (int k = blockIdx.y; k < layout.cells[2]; k += gridDim.y) {
        const Indices at = cell_of_thread(layout, k);
        if (!is_own(layout, at)) continue;
        const Real rest = number_of(f[cell_at(layout, 0, at).place]);
        // Of a number that is not finite nothing is left but not-a-number.
        all = all && rest - rest == Real(0);
    }
    if (!all) *broken = 1;
}
