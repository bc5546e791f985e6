// Lets outlets answer what has left the cells before them; eqs. (L15) and (L16) of
// docs/src/theory/lbm.md.
//
// Thread n does the cell before an outlet with own indices cells[n], cells[n + count] and
// cells[n + 2 count]. links[n]: bit q says that the population along q meets the outlet. sides[n]: the
// direction across it, plus 3 on the high side. memory[n], in cells per step, is read and written. f:
// populations less their weights in the places of layout.cuh, after the step of this parity; those
// that meet the outlet are overwritten by what comes back.
#include "lbm/layout.cuh"
#include "lbm/outlet.cuh"

KERNEL outlet(const Layout layout, const Rates rates, const Real forget, const int parity,
              const int count, const int* cells, const uint32* links, const unsigned char* sides,
              Real* memory, Stored* f) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count) return;
    const int64 i = n, j = i + count, k = j + count;
    const Cell cell = cell_at(layout, parity, {cells[i], cells[j], cells[k]});
    Real left[Q];
#pragma unroll
    for (int q = 0; q < Q; ++q) left[q] = number_of(f[leaving(layout, cell, q)]);
    Real used_to = memory[n];
    const int side = sides[n];
    from_outlet(left, rates, forget, side % 3, side >= 3, links[n], used_to);
    memory[n] = used_to;
#pragma unroll
    for (int q = 1; q < Q; ++q) {
        if (links[n] >> q & 1) f[leaving(layout, cell, q)] = population_of<Stored>(left[q]);
    }
}
