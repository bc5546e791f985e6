// Takes a share of a difference of rounds from the flow; docs/src/theory/equations.md. Twin of `add` in
// crates/core/src/steady/rounds_here.rs.
//
// x, other: so many numbers; each thread changes one of x.
#include "device.cuh"

KERNEL take_round(const int64 count, const Real share, const Real* other, Real* x) {
    const int64 i = blockIdx.x * static_cast<int64>(blockDim.x) + threadIdx.x;
    if (i < count) x[i] = x[i] - share * other[i];
}
