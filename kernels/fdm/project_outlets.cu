// Velocity at outlets, corrected by the pressure drop over half a cell; eq. (F11) of
// docs/src/theory/fdm.md.
//
// f, g, h, u, v, w in m/s on low faces, padded rows. Outlet n writes place targets[n] of component
// components[n]; its last cell is at place cells[n] / 2 of the colour cells[n] % 2 of the pressures
// red, black in m2/s2. pressures[n] in m2/s2 is that at the face, gradients[n] in 1/m twice the
// inverse spacing, outward.
#include "fdm/interval.cuh"
#include "fdm/stencil.cuh"

KERNEL project_outlets(const int outlets, const Interval* interval, const unsigned char* components,
                       const int64* targets, const int64* cells, const Real* pressures,
                       const Real* gradients, const Real* red, const Real* black, const Real* f,
                       const Real* g, const Real* h, Real* u, Real* v, Real* w) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= outlets) return;
    const int a = components[n];
    const Real p = (cells[n] % 2 == 0 ? red : black)[cells[n] / 2];
    const Real predicted = (a == 0 ? f : a == 1 ? g : h)[targets[n]];
    Real* const field = a == 0 ? u : a == 1 ? v : w;
    field[targets[n]] = released(predicted, p, pressures[n], gradients[n], interval->dt);
}
