// Residuals of a level summed over the children of each cell of the next coarser one, whose
// right-hand side they become; no equation. Twin of `restrict` in
// crates/linear/src/cpu/multigrid.rs, for a level that is not cut between ranks; where it is,
// residual_level.cu and sum_residuals.cu do the same.
//
// Arrays as in relax_level.cu, those of the coarser level with layout `coarse`. x: read with one halo
// cell, without edges. b_coarse: each thread writes one own cell.
#include "linear/level.cuh"

KERNEL restrict_level(const Layout fine, const Layout coarse, const Transfer step, const Real* c,
                      const Real* b, const Real* x, Real* b_coarse) {
    const Indices at = indices_of_thread();
    if (!is_own(coarse, at)) return;
    const Real* const from = coefficients_of(fine, c);
    b_coarse[coarse.first + place_of(coarse, at)] =
        sum_of_children(step, at, -1, [&](const Indices& child) {
            return residual_at(fine, from, b + fine.first, x + fine.first, place_of(fine, child));
        });
}
