// The prediction at a convective outlet, and what leaves through it; eqs. (F20) and (F21) of
// docs/src/theory/fdm.md.
//
// u, v, w, f, g, h in m/s on low faces, padded rows: each thread writes one face of f, g or h, from two of u, v
// or w. rate in 1/s: the outlet's speed over the spacing; outward: 1 where a positive velocity leaves, else -1.
// leak, in units of which `steps` are 1 m/s, is added to; what is too large goes round.
#include "fdm/boundary.cuh"
#include "fdm/interval.cuh"
#include "fdm/stencil.cuh"

KERNEL carry_out(const int entries, const Interval* interval, const Real rate, const Real outward,
                 const double steps, const Carried* faces, const Real* u, const Real* v, const Real* w,
                 Real* f, Real* g, Real* h, uint64* leak) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= entries) return;
    const Carried at = faces[n];
    const Real* const before = component_of(at.component, u, v, w);
    const Real value = carried_on(before[at.target], before[at.inner], rate * interval->dt);
    component_of(at.component, f, g, h)[at.target] = value;
    const int64 flux = at.counts > 0 ? flux_in_steps(outward * value, steps) : 0;
    if (flux != 0) atomicAdd(leak, static_cast<uint64>(flux));
}
