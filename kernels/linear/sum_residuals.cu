// Residuals summed over the children of each coarse cell; no equation. Twin of `restrict_residual` in
// crates/linear/src/cpu/multigrid/transfer.rs.
//
// Arrays as in restrict_level.cu. r: residuals of the finer level, read with one halo cell, edges and
// corners too, if the level is cut. b_coarse: each thread writes one own cell.
#include "linear/level.cuh"

KERNEL sum_residuals(const Layout fine, const Layout coarse, const Transfer step, const Real* r,
                     Real* b_coarse) {
    const Indices at = indices_of_thread();
    if (!is_own(coarse, at)) return;
    b_coarse[coarse.first + place_of(coarse, at)] =
        sum_of_children(step, at, -1, [&](const Indices& child) {
            return r[fine.first + place_of(fine, child)];
        });
}
