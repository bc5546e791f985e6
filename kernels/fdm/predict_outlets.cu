// The prediction at outlets is that of the next face inside; eq. (F11) of docs/src/theory/fdm.md.
//
// f, g, h in m/s on low faces, padded rows. Each outlet writes its face, which no other reads or writes.
#include "fdm/boundary.cuh"

KERNEL predict_outlets(const int entries, const Outlet* outlets, Real* f, Real* g, Real* h) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= entries) return;
    Real* const field = component_of(outlets[n].component, f, g, h);
    field[outlets[n].face] = field[outlets[n].inner];
}
