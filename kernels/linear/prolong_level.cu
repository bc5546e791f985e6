// Adds to each cell of a level the value of the coarse cell that it belongs to; no equation. Twin of
// `add_correction` in crates/linear/src/cpu/multigrid/transfer.rs.
//
// Arrays as in restrict_level.cu. x_coarse: read with one halo cell, edges and corners too, if the
// coarser level is cut. x: each thread changes one own cell, and its halo cells, see `put`.
#include "linear/level.cuh"

KERNEL prolong_level(const Layout fine, const Layout coarse, const Transfer step,
                     const Real* x_coarse, Real* x) {
    const Indices at = indices_of_thread();
    if (!is_own(fine, at)) return;
    const int64 here = place_of(fine, at);
    const Real correction = x_coarse[coarse.first + place_of(coarse, parent_of(step, at))];
    put(fine, at, x + fine.first, here, x[fine.first + here] + correction);
}
