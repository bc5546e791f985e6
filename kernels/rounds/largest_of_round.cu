// The largest change of a round; docs/src/theory/equations.md. Twin of `set_round` in
// crates/core/src/steady/rounds_here.rs.
//
// change: so many numbers. largest: raised to the bits of the largest magnitude. Shared memory: one number.
#include "rounds/turns.cuh"

KERNEL largest_of_round(const int64 count, const Real* change, Bits* largest) {
    Bits most = 0;
    for (int64 i = first_of_thread(); i < count; i += threads()) most = larger(most, bits_of(change[i]));
    note_largest(largest, most);
}
