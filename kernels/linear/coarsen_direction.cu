// Coefficients of one direction on a level from those of the next finer one, if coarse cells have
// children on two ranks; no equation. Twin of `coarsen` in crates/linear/src/cpu/multigrid/prepare.rs.
//
// Arrays as in coarsen_level.cu. c: read with one halo cell, edges and corners too; ends: what
// take_ends.cu wrote, read with its halo. Each thread writes c_coarse on the low face of one own
// cell, and on the high one at the end of the box.
#include "linear/level.cuh"

KERNEL coarsen_direction(const Layout fine, const Layout coarse, const Transfer step,
                         const int direction, const Real* c, const Real* ends, Real* c_coarse) {
    const Indices at = indices_of_thread();
    if (!is_own(coarse, at)) return;
    const Real* const from = coefficients_of(fine, c) + direction * length_of(fine);
    Real* const to = c_coarse + DIRECTIONS * coarse.first + direction * length_of(coarse) +
                     place_of(coarse, at);
    *to = coarse_coefficient(fine, step, from, direction, at);
    const int number = step.start[direction] + along(at, direction) + 1;
    if (number != step.all[direction]) return;
    // The last fine faces lie beyond the halo if the cells below them are in it.
    const Real* const below = ends + fine.first - stride_of(fine, direction);
    to[stride_of(coarse, direction)] =
        coarse_coefficient(fine, step, below, direction, beyond(at, direction));
}
