// Largest change of the temperature since the end of the last time step; no equation. Twin of `change` in
// crates/fvm/src/cpu/transported.rs.
//
// theta, theta_last in K, relative to the reference: own cells are read. largest: raised to the bits of the largest
// change. Shared memory: one number.
#include "fvm/reductions.cuh"
#include "linear/layout.cuh"

KERNEL warming(const Layout layout, const Real* theta, const Real* theta_last, int64* largest) {
    Bits most = 0;
    for (Indices at = indices_of_thread(); is_own(layout, at); advance(at)) {
        const int64 here = place_of(layout, at);
        most = larger(most, bits_of(theta[here] - theta_last[here]));
    }
    note_largest(largest, most);
}
