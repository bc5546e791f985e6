// Values outside the flow, made from those inside; eq. (F12) of docs/src/theory/fdm.md.
//
// u, v, w in m/s on low faces, padded rows. Each entry of `ghosts` writes one place from two others;
// those of a group are done by one thread in their order.
#include "fdm/boundary.cuh"
#include "fdm/stencil.cuh"

KERNEL mirror(const int entries, const Ghost* ghosts, Real* u, Real* v, Real* w) {
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= entries) return;
    const uint32 group = ghosts[n].group;
    if (n > 0 && ghosts[n - 1].group == group) return;
    for (; n < entries && ghosts[n].group == group; ++n) {
        const Ghost at = ghosts[n];
        Real* const field = component_of(at.component, u, v, w);
        field[at.target] = mirrored(field[at.first], field[at.second], at.sign, at.add, Real(0.5));
    }
}
