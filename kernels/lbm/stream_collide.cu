// Takes the populations that arrive in each cell, lets them collide and leaves them where others find
// them; eqs. (L4) to (L12) and (L17) of docs/src/theory/lbm.md.
//
// f: populations less their weights, in the places of layout.cuh. Thread x does a cell of a region's
// plane y: it reads and writes the Q places that the cell has in a step of this parity, those that it shares with
// halo cells included; no two threads have one in common. Solid cells are done like all others: their
// links are closed by swap_links.cu.
// broken: becomes 1 if a cell is left with a population at rest that is not finite, and stays 1; a
// collision makes it all that any other population of the cell is.
#include "lbm/layout.cuh"
#include "lbm/collisions.cuh"

KERNEL stream_collide(const Layout layout, const Region region, const Rates rates, const Reach reach,
                      const int parity, Stored* f, int* broken) {
    const Own own = cell_of_region(layout, region);
    if (!own.is_one) return;
    Real h[Q];
    take(layout, reach, parity, own, f, h);
    collide(h, rates, UNIT);
    leave(layout, reach, parity, own, h, f);
    // Of a number that is not finite nothing is left but not-a-number.
    if (!(h[0] - h[0] == Real(0))) *broken = 1;
}
