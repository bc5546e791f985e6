// Coefficients of a level from those of the next finer one, and the finer one's inverse sums; no
// equation. Where coarse cells have children on two ranks, coarsen_direction.cu does the same. Twin
// of `coarsen` and `invert` in crates/linear/src/cpu/multigrid/prepare.rs.
//
// Arrays as in restrict_level.cu. c: read on low faces of own cells and on the high ones of the last.
// Each thread writes c_coarse on the
// low faces of one own cell, and on the high ones at the end of the box, and `inverse` in those children
// that are own cells; there are no others.
#include "linear/level.cuh"

KERNEL coarsen_level(const Layout fine, const Layout coarse, const Transfer step, const Real* c,
                     Real* c_coarse, Real* inverse) {
    const Indices at = indices_of_thread();
    if (!is_own(coarse, at)) return;
    const Real* const from = coefficients_of(fine, c);
    coarsen_cell(fine, coarse, step, from, c_coarse + DIRECTIONS * coarse.first, at);
    const Indices first = {first_child(step, 0, at.i), first_child(step, 1, at.j),
                           first_child(step, 2, at.k)};
    for (int k = max(first.k, 0); k < first.k + step.factor[2]; ++k) {
        for (int j = max(first.j, 0); j < first.j + step.factor[1]; ++j) {
            for (int i = max(first.i, 0); i < first.i + step.factor[0]; ++i) {
                const Indices child = {i, j, k};
                if (!is_own(fine, child)) continue;
                const int64 here = place_of(fine, child);
                inverse[fine.first + here] = inverse_at(fine, from, here);
            }
        }
    }
}
