// What is asked for in the momentum equations of a coarser grid: what the finer grid's miss and these do not; eq. (V25) of
// docs/src/theory/fvm.md. Twin of `begin_correction` in crates/fvm/src/cpu/coarser.rs.
//
// Arrays as in assemble.cu, which has counted what the finer grid misses with the sign changed. asked_u in m/s2: each
// thread writes its own cell, zero in solids.
#include "fvm/coarser.cuh"

KERNEL ask_in_cells(const Layout layout, const unsigned char* kinds, const Real* u, const Real* a, const Real* diagonal,
                    const Real* b, Real* asked_u) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at)) return;
    const Equations of = {layout, kinds, u, nullptr, nullptr, a, diagonal, b};
    const int64 here = place_of(layout, at), length = length_of(layout);
    const bool flows = !(kinds[here] & SOLID);
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) asked_u[c * length + here] = flows ? -missing_in_cell(of, c, at) : Real(0);
}
