// Velocity along a convective outlet, half a cell beyond it; eq. (F20) of docs/src/theory/fdm.md.
//
// u, v, w in m/s on low faces, padded rows, new ones inside: each thread writes one value beyond. rate in 1/s: the
// outlet's speed over the spacing.
#include "fdm/boundary.cuh"
#include "fdm/interval.cuh"
#include "fdm/stencil.cuh"

KERNEL carry_along(const int entries, const Interval* interval, const Real rate, const Carried* ghosts,
                   Real* u, Real* v, Real* w) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= entries) return;
    const Carried at = ghosts[n];
    Real* const field = component_of(at.component, u, v, w);
    field[at.target] = carried_with(field[at.target], field[at.inner], rate * interval->dt);
}
