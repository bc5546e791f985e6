// Velocities at faces beside bodies less what leaks into the body there, and their predictions, which are
// the same; eqs. (F18) and (F19) of docs/src/theory/fdm.md.
//
// leaks: what leaks into each body in all; shares: the velocity in m/s that one of its units is at each of the
// body's faces. u, v, w, f, g, h in m/s on low faces, padded rows: each thread writes one face.
#include "fdm/boundary.cuh"
#include "fdm/stencil.cuh"

KERNEL remove_leaks(const int entries, const ForcedFace* faces, const uint64* leaks,
                    const double* shares, Real* u, Real* v, Real* w, Real* f, Real* g, Real* h) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= entries) return;
    const ForcedFace at = faces[n];
    Real* const here = component_of(at.component, u, v, w) + at.target;
    const Real leak = leak_of_face(static_cast<int64>(leaks[at.body]), shares[at.body]);
    const Real velocity = closed(*here, at.outward, leak);
    *here = velocity;
    component_of(at.component, f, g, h)[at.target] = velocity;
}
