// The largest change of a round; docs/src/theory/equations.md. Twin of `set_round` in
// crates/core/src/steady/rounds_here.rs.
//
// change: own cells are read. largest: raised to the bits of the largest magnitude. Shared memory: one number.
#include "fvm/reductions.cuh"
#include "linear/layout.cuh"

KERNEL largest_of_round(const Layout layout, const Real* change, int64* largest) {
    const int64 length = length_of(layout);
    Bits most = 0;
    for (Indices at = indices_of_thread(); is_own(layout, at); advance(at)) {
#pragma unroll
        for (int c = 0; c < DIRECTIONS; ++c) most = larger(most, bits_of(change[c * length + place_of(layout, at)]));
    }
    note_largest(largest, most);
}
