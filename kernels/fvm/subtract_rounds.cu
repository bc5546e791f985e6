// The difference between what two rounds led to; docs/src/theory/equations.md. Twin of `subtract_from` in
// crates/core/src/steady/rounds_here.rs.
//
// x, later: so many numbers; each thread makes one of x later - x.
#include "device.cuh"

KERNEL subtract_rounds(const int64 count, const Real* later, Real* x) {
    const int64 i = blockIdx.x * static_cast<int64>(blockDim.x) + threadIdx.x;
    if (i < count) x[i] = later[i] - x[i];
}
