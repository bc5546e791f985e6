// Values outside the flow, made from those inside; eq. (F12) of docs/src/theory/fdm.md.
//
// u, v, w in m/s on low faces, padded rows. Entry n writes place targets[n] of component
// components[n] from places firsts[n] and seconds[n]. Entries that read or write what others write
// have one number in `groups`, follow each other, and are done by one thread in their order.
#include "fdm/stencil.cuh"

KERNEL mirror(const int entries, const uint32* groups, const unsigned char* components,
              const int64* targets, const int64* firsts, const int64* seconds, const Real* signs,
              const Real* adds, Real* u, Real* v, Real* w) {
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= entries) return;
    const uint32 group = groups[n];
    if (n > 0 && groups[n - 1] == group) return;
    for (; n < entries && groups[n] == group; ++n) {
        Real* const field = components[n] == 0 ? u : components[n] == 1 ? v : w;
        field[targets[n]] =
            mirrored(field[firsts[n]], field[seconds[n]], signs[n], adds[n], Real(0.5));
    }
}
