// What each step of a coarser grid is asked to add: that a step from the first flow that it was told would change that twice
// as much as the finer grid did; eq. (L24) of docs/src/theory/lbm.md.
//
// before, after: flows that it was told; open: as in tell_coarser.cu. f: what the step from the first one led to, where
// populations arrive before a step of this parity; the second flow takes its place. asked_even and asked_odd are written where
// populations arrive before steps of both parities.
#include "lbm/coarser.cuh"

KERNEL ask_of_step(const Layout layout, const PaddedCells padded, const Rates rates, const int parity, const Real* open,
                   const Real* before, const Real* after, Stored* f, Real* asked_even, Real* asked_odd) {
    in_each_cell(layout, [&](const Indices& at, int64 number) {
        if (open[place_in(padded, at)] == Real(0)) return;
        const Cell now = cell_at(layout, parity, at);
        Real left[Q], first[Q], then[Q];
        take(layout, now, f, left);
        at_equilibrium(flow_told(layout, before, number), rates, first);
        at_equilibrium(flow_told(layout, after, number), rates, then);
#pragma unroll
        for (int q = 0; q < Q; ++q) first[q] = (then[q] - first[q]) + (then[q] - left[q]);
        put(layout, now, then, f);
        // One after the other: a thread has no registers for the places of both.
#pragma unroll 1
        for (int other = 0; other < 2; ++other) {
            const Cell cell = cell_at(layout, other, at);
            Real* const asked = other == 0 ? asked_even : asked_odd;
#pragma unroll
            for (int q = 0; q < Q; ++q) asked[arriving(layout, cell, q)] = first[q];
        }
    });
}
