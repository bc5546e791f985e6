// How far a round of Anderson's acceleration has gone, or the beginning of the next one; docs/src/theory/equations.md. Twin
// of `keep` and `begin` of `RoundsHere` in crates/core/src/steady/rounds_here.rs.
//
// u in m/s: own cells are read. begun: velocity with which the round began, as a share of `scale` in m/s. Each thread writes
// its own cell: of change, how much farther the velocity is, if `begins` is zero, else of begun, where it is. largest:
// raised to the bits of the largest change. Shared memory: one number.
#include "fvm/reductions.cuh"
#include "linear/layout.cuh"

KERNEL measure_round(const Layout layout, const Real scale, const int begins, const Real* u, Real* begun, Real* change,
                     int64* largest) {
    const int64 length = length_of(layout);
    Bits most = 0;
    for (Indices at = indices_of_thread(); is_own(layout, at); advance(at)) {
        const int64 here = place_of(layout, at);
#pragma unroll
        for (int c = 0; c < DIRECTIONS; ++c) {
            const int64 place = c * length + here;
            const Real now = u[place] / scale, farther = now - begun[place];
            most = larger(most, bits_of(farther));
            if (begins) {
                begun[place] = now;
            } else {
                change[place] = farther;
            }
        }
    }
    note_largest(largest, most);
}
