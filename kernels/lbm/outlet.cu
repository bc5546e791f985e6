// Lets outlets answer what has left the cells before them; eqs. (L15) and (L16) of
// docs/src/theory/lbm.md.
//
// Thread n does the cell before an outlet with own indices cells[n], cells[n + count] and
// cells[n + 2 count]. links[n]: bit q says that the population along q meets the outlet; those that do
// are numbered a = 0, 1, ... below `most`. sides[n]: the direction across it, plus 3 on the high side.
// straight[n + count a]: the number of what leaves straight through, or q itself; like[n + count a], and
// `count most` farther on in steps of parity 1: the place of what leaves a cell as the answer comes back.
// memory[n], in cells per step, is read and written. f: populations less their weights in the places of
// layout.cuh, after the step of this parity; those that meet the outlet are overwritten by what comes
// back, and no thread reads another's.
#include "lbm/layout.cuh"
#include "lbm/heat.cuh"
#include "lbm/outlet.cuh"

KERNEL outlet(const Layout layout, const Rates rates, const HeatRates heat, const Real forget,
              const int parity, const int count, const int* cells, const uint32* links,
              const unsigned char* sides, const int most, const unsigned char* straight,
              const int64* like, const Real* felt, Real* memory, Stored* f) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count) return;
    const int64 i = n, j = i + count, k = j + count;
    const Cell cell = cell_at(layout, parity, {cells[i], cells[j], cells[k]});
    Real left[Q], answers[Q];
#pragma unroll
    for (int q = 0; q < Q; ++q) left[q] = number_of(f[leaving(layout, cell, q)]);
    Real used_to = memory[n];
    const int side = sides[n];
    const Rates there = heat.is_buoyant ? with_lift(felt[n], rates, heat) : rates;
    from_outlet(left, there, forget, side % 3, side >= 3, used_to, answers);
    memory[n] = used_to;
    int64 number = n;
    const int64 of_parity = static_cast<int64>(parity) * most * count;
#pragma unroll
    for (int q = 1; q < Q; ++q) {
        if (!(links[n] >> q & 1)) continue;
        const int through = straight[number];
        Real back = answers[q];
        if (through != q) {
            const Real change = along_axis(answers, through) - along_axis(left, opposite(through));
            back = number_of(f[like[of_parity + number]]) + share_of(q) * change;
        }
        f[leaving(layout, cell, q)] = population_of(back);
        number += count;
    }
}
