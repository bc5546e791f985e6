// What rounds of Anderson's acceleration look at and mix; docs/src/theory/equations.md. Twin of `look` of `RoundsHere` in
// crates/core/src/steady/rounds_here.rs.
//
// f: populations before a step of this parity. solid: one where an own cell is solid, x fastest, if there are any. Each thread
// writes its own cells of seen, the velocity as a share of a scale, of which a cell per step is `unit` in m/s, and of mixed, the
// populations as they arrive; x fastest, one number of all cells after the other.
#include "lbm/coarser.cuh"

KERNEL look_at_populations(const Layout layout, const Rates rates, const double unit, const double scale, const int solids,
                           const int parity, const unsigned char* solid, const Stored* f, double* seen, Real* mixed) {
    in_each_cell(layout, [&](const Indices& at, int64 number) {
        const bool flows = !solids || solid[number] == 0;
        Real h[Q];
        take(layout, cell_at(layout, parity, at), f, h);
        const Flow found = flow_found(h, rates);
#pragma unroll
        for (int q = 0; q < Q; ++q) mixed[q * cells_of(layout) + number] = flows ? h[q] : Real(0);
#pragma unroll
        for (int d = 0; d < D; ++d) {
            const double u = flows ? static_cast<double>(found.of[d + 1]) : 0.0;
            seen[d * cells_of(layout) + number] = (0.0 + u * unit) / scale;
        }
    });
}
