// As stream_collide.cu, by threads of two cells each, in rows of an even number of cells, which begin in even
// places; eqs. (L4) to (L12), (L17) and (L18) of docs/src/theory/lbm.md.
//
// Threads follow the cells of a region's plane y, all of whose rows lie within reach. They read and write words, and hand on to
// each other what lies a place farther in x. No two threads have a place in common: what a thread writes for the one before
// it, that one has read before it handed it on.
#include "lbm/two_cells.cuh"
#include "lbm/collisions.cuh"

KERNEL PAIR_BLOCK stream_collide_two(const Layout layout, const Region region, const Rates rates, const Reach reach, Stored* f,
                                     int* broken) {
    if (Q == D3Q27) return;
    const TwoOwn own = two_of_region(layout, region, f);
    if (own.row >= region.end[0]) return;
    Real low[Q], high[Q];
    take_two(layout, reach, own, low, high);
    collide(low, rates, UNIT);
    collide(high, rates, UNIT);
    leave_two(layout, reach, own, low, high);
    if (!(low[0] - low[0] == Real(0)) || !(high[0] - high[0] == Real(0))) *broken = 1;
}
