// Adds what steps of a coarser grid are asked for to populations, where they arrive; eq. (L24) of docs/src/theory/lbm.md.
//
// Thread x does one of `count` places after the other.
#include "lbm/layout.cuh"

KERNEL add_to_step(const int64 count, const Real* asked, Stored* f) {
    const int64 stride = static_cast<int64>(blockDim.x) * gridDim.x;
    for (int64 n = threadIdx.x + static_cast<int64>(blockDim.x) * blockIdx.x; n < count; n += stride) {
        f[n] = population_of(number_of(f[n]) + asked[n]);
    }
}
