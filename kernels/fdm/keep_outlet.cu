// Velocity at a convective outlet after a step: as it was predicted; eq. (F21) of docs/src/theory/fdm.md.
//
// f, g, h, u, v, w in m/s on low faces, padded rows: each thread writes one face.
#include "fdm/boundary.cuh"

KERNEL keep_outlet(const int entries, const Carried* faces, const Real* f, const Real* g, const Real* h,
                   Real* u, Real* v, Real* w) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= entries) return;
    const Carried at = faces[n];
    component_of(at.component, u, v, w)[at.target] = component_of(at.component, f, g, h)[at.target];
}
