// The coefficients of the high faces at the end of the box, each in the place of the cell below it,
// where halos are exchanged; no equation. Twin of `ends` in crates/linear/src/cpu/multigrid/prepare.rs.
//
// Arrays as in relax_level.cu. is_end: whether the box ends in this direction with this rank's cells.
// ends: each thread writes one own cell, zero away from the end.
#include "linear/level.cuh"

KERNEL take_ends(const Layout layout, const int direction, const int is_end, const Real* c,
                 Real* ends) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at)) return;
    const int64 here = place_of(layout, at);
    const bool is_last = is_end && along(at, direction) + 1 == layout.cells[direction];
    const Real* const mine = coefficients_of(layout, c) + direction * length_of(layout);
    ends[layout.first + here] = is_last ? mine[here + stride_of(layout, direction)] : Real(0);
}
