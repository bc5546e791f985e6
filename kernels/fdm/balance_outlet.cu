// The prediction at a convective outlet less its share of what leaves more than comes in; eq. (F21) of
// docs/src/theory/fdm.md.
//
// leak: what leaves through the outlet, prescribed: what leaves elsewhere, in units each of which is `share` m/s at
// each face. f, g, h in m/s on low faces, padded rows: each thread writes one face.
#include "fdm/boundary.cuh"
#include "fdm/stencil.cuh"

KERNEL balance_outlet(const int entries, const int64 prescribed, const double share, const Real outward,
                      const Carried* faces, const uint64* leak, Real* f, Real* g, Real* h) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= entries) return;
    const Carried at = faces[n];
    const int64 all = static_cast<int64>(*leak + static_cast<uint64>(prescribed));
    Real* const here = component_of(at.component, f, g, h) + at.target;
    *here = closed(*here, outward, leak_of_face(all, share));
}
