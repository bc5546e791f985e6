// Largest change of a velocity component since the end of the last time step; no equation. Twin of
// `largest_change` in crates/fvm/src/state.rs.
//
// u, u_last in m/s: one component after the other; own cells are read. largest: raised to the
// bits of the largest change. Shared
// memory: one number.
#include "fvm/reductions.cuh"
#include "linear/layout.cuh"

KERNEL change(const Layout layout, const Real* u, const Real* u_last, int64* largest) {
    const int64 length = length_of(layout);
    Bits most = 0;
    for (Indices at = indices_of_thread(); is_own(layout, at); advance(at)) {
        const int64 here = place_of(layout, at);
#pragma unroll
        for (int c = 0; c < DIRECTIONS; ++c) {
            const int64 place = c * length + here;
            most = larger(most, bits_of(u[place] - u_last[place]));
        }
    }
    note_largest(largest, most);
}
