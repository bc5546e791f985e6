// Lets a convective outlet answer what has left the cells before it; eq. (L16a) of docs/src/theory/lbm.md. Twin of
// `carried_out` in crates/lbm/src/view.rs.
//
// carry: how many cells the outlet carries the flow on by in a step. memory[n + count q], read and written: what came
// back to cell n in the last step instead of population q, less its weight. All else is as in outlet.cu.
#include "lbm/layout.cuh"
#include "lbm/outlet.cuh"

KERNEL carry_outlet(const Layout layout, const Rates rates, const Real forget, const Real carry, const int parity,
                    const int count, const int* cells, const uint32* links, const int most,
                    const unsigned char* straight, const int64* like, Real* memory, Stored* f) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count) return;
    const int64 i = n, j = i + count, k = j + count;
    const Cell cell = cell_at(layout, parity, {cells[i], cells[j], cells[k]});
    Real left[Q];
#pragma unroll
    for (int q = 0; q < Q; ++q) left[q] = number_of(f[leaving(layout, cell, q)]);
    const Real deviation = moments(left, rates).density_deviation;
    int64 number = n;
    const int64 of_parity = static_cast<int64>(parity) * most * count;
#pragma unroll
    for (int q = 1; q < Q; ++q) {
        if (!(links[n] >> q & 1)) continue;
        const Real inner = straight[number] == q ? left[opposite(q)] : number_of(f[like[of_parity + number]]);
        Real& before = memory[n + static_cast<int64>(count) * q];
        const Real carried = (before + carry * inner) / (Real(1) + carry);
        before = carried - forget * (Real(w((q - 1) / 2)) * deviation);
        f[leaving(layout, cell, q)] = population_of(before);
        number += count;
    }
}
