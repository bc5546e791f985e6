// The prediction at outlets is that of the next face inside; eq. (F11) of docs/src/theory/fdm.md.
//
// f, g, h in m/s on low faces, padded rows. Outlet n writes place targets[n] of component
// components[n] from place sources[n]; nobody else reads or writes the targets.
#include "device.cuh"

KERNEL predict_outlets(const int outlets, const unsigned char* components, const int64* targets,
                       const int64* sources, Real* f, Real* g, Real* h) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= outlets) return;
    Real* const field = components[n] == 0 ? f : components[n] == 1 ? g : h;
    field[targets[n]] = field[sources[n]];
}
