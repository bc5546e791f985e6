// Takes what bodies have given to a closed box from the cells beside them, as much for each link; eq. (L14c) of
// docs/src/theory/lbm.md.
//
// Thread n does the cell whose population at rest lies at rests[n] of f and of which links[n] links may leak. leak: of
// the whole box, in units each of which is `share` of a density for each link.
#include "lbm/interpolated.cuh"
#include "lbm/population.cuh"

KERNEL spread_leak(const int count, const double share, const int64* rests, const uint32* links, const uint64* leak,
                   Stored* f) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count) return;
    Stored* const here = f + rests[n];
    *here = population_of(without_leak(number_of(*here), static_cast<int64>(*leak), share, links[n]));
}
