// Velocities at faces beside bodies, and what leaks into each body through them; eqs. (F17) and (F19) of
// docs/src/theory/fdm.md.
//
// values in m/s: those of the flow that rows read; numbers, weights: which value an entry reads, and its
// weight. u, v, w in m/s on low faces, padded rows: each thread writes one face. leaks: for each body, in
// units of which `steps` are 1 m/s, is added to; what is too large goes round.
#include "fdm/boundary.cuh"
#include "fdm/stencil.cuh"

KERNEL force_faces(const int entries, const double steps, const ForcedFace* faces,
                   const uint32* numbers, const Real* weights, const Real* values, Real* u, Real* v,
                   Real* w, uint64* leaks) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= entries) return;
    const ForcedFace at = faces[n];
    Real sum = at.constant;
    for (uint32 entry = at.first; entry < at.first + at.count; ++entry) {
        sum = with_source(sum, weights[entry], values[numbers[entry]]);
    }
    component_of(at.component, u, v, w)[at.target] = sum;
    const int64 flux = flux_in_steps(at.outward * sum, steps);
    if (flux != 0) atomicAdd(leaks + at.body, static_cast<uint64>(flux));
}
