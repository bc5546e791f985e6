// Takes a share of a difference of rounds from the flow; docs/src/theory/equations.md. Twin of `add` in
// crates/core/src/steady/rounds_here.rs.
//
// x, other: so many numbers; each thread changes some of x.
#include "rounds/turns.cuh"

KERNEL take_round(const int64 count, const double share, const Real* other, Real* x) {
    for (int64 i = first_of_thread(); i < count; i += threads()) {
        x[i] = static_cast<Real>(static_cast<double>(x[i]) - share * static_cast<double>(other[i]));
    }
}
