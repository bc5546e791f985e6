// Sends back what met a solid box, and across what met a mirror: two populations change places;
// eqs. (L13) and (L14) of docs/src/theory/lbm.md.
//
// Thread n swaps the places ones[n] and others[n] of f, populations less their weights; no place comes
// twice.
#include "device.cuh"

KERNEL swap_links(const int count, const int64* ones, const int64* others, Stored* f) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count) return;
    const int64 one = ones[n], other = others[n];
    const Stored from_one = f[one];
    f[one] = f[other];
    f[other] = from_one;
}
