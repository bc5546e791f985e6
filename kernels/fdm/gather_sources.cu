// Velocities that those at faces beside bodies are made of; eq. (F17) of docs/src/theory/fdm.md.
//
// u, v, w in m/s on low faces, padded rows, are read on own faces. values in m/s: each thread writes that of
// one source.
#include "fdm/boundary.cuh"

KERNEL gather_sources(const int entries, const Source* sources, const Real* u, const Real* v,
                      const Real* w, Real* values) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= entries) return;
    values[n] = component_of(sources[n].component, u, v, w)[sources[n].place];
}
