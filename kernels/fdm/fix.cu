// Prescribed velocities, where ghost values were put over them; eq. (F11) of docs/src/theory/fdm.md.
//
// u, v, w in m/s on low faces, padded rows. Entry n writes values[n] to place targets[n] of component
// components[n].
#include "device.cuh"

KERNEL fix(const int entries, const unsigned char* components, const int64* targets,
           const Real* values, Real* u, Real* v, Real* w) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= entries) return;
    Real* const field = components[n] == 0 ? u : components[n] == 1 ? v : w;
    field[targets[n]] = values[n];
}
