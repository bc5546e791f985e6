// What moving walls and inflows add to the populations that come back from them; eq. (L13) of
// docs/src/theory/lbm.md.
//
// Thread n adds terms[n] at places[n] of f, populations less their weights; no place comes twice.
#include "lbm/population.cuh"

KERNEL add_to_links(const int count, const int64* places, const Real* terms, Stored* f) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count) return;
    const int64 place = places[n];
    f[place] = population_of(number_of(f[place]) + terms[n]);
}
