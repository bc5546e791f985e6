// Prescribed velocities, where ghost values were put over them; eq. (F11) of docs/src/theory/fdm.md.
//
// u, v, w in m/s on low faces, padded rows. Each entry of `fixed` writes one place.
#include "fdm/boundary.cuh"

KERNEL fix(const int entries, const Fixed* fixed, Real* u, Real* v, Real* w) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= entries) return;
    component_of(fixed[n].component, u, v, w)[fixed[n].target] = fixed[n].value;
}
