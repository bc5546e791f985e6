// Right-hand side of the pressure equation; eq. (F5) of docs/src/theory/fdm.md.
//
// f, g, h in m/s on low faces, padded rows, are read on all faces of own cells. red, black in 1/s2:
// the right-hand sides of the cells of each colour; each thread writes a pair of own cells.
#include "fdm/layout.cuh"
#include "fdm/interval.cuh"

KERNEL divergence(const Layout layout, const Interval* interval, const Real* f, const Real* g,
                  const Real* h, Real* red, Real* black) {
    const Pair pair = pair_of_thread(layout);
    const Real* const prediction[3] = {f + pair.whole, g + pair.whole, h + pair.whole};
    for (int side = 0; side < 2; ++side) {
        if (!pair.own[side]) continue;
        Real sum = Real(0);
        for (int d = 0; d < DIRECTIONS; ++d) {
            const Real* const low = prediction[d] + side;
            sum += interval->inverse[d] * (low[stride_of(layout, d)] - low[0]);
        }
        (pair.first == side ? red : black)[pair.half] = sum;
    }
}
