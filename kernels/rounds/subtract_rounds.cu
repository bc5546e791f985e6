// The difference between what two rounds led to; docs/src/theory/equations.md. Twin of `subtract_from` in
// crates/core/src/steady/rounds_here.rs.
//
// x, later: so many numbers; each thread makes some of x later - x.
#include "rounds/turns.cuh"

KERNEL subtract_rounds(const int64 count, const Real* later, Real* x) {
    for (int64 i = first_of_thread(); i < count; i += threads()) x[i] = later[i] - x[i];
}
