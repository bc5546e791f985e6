// Velocity at outlets, corrected by the pressure drop over half a cell; eq. (F11) of
// docs/src/theory/fdm.md.
//
// f, g, h, u, v, w in m/s on low faces, padded rows; red, black in m2/s2: the pressures of each colour.
// Each outlet writes its face.
#include "fdm/boundary.cuh"
#include "fdm/interval.cuh"
#include "fdm/stencil.cuh"

KERNEL project_outlets(const int entries, const Interval* interval, const Outlet* outlets,
                       const Real* red, const Real* black, const Real* f, const Real* g,
                       const Real* h, Real* u, Real* v, Real* w) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= entries) return;
    const Outlet at = outlets[n];
    const Real p = (at.cell % 2 == 0 ? red : black)[at.cell / 2];
    const Real predicted = component_of(at.component, f, g, h)[at.face];
    component_of(at.component, u, v, w)[at.face] =
        released(predicted, p, at.pressure, at.gradient, interval->dt);
}
