// Density less one, velocity and, if there is heat, temperature of some rows of cells, in lattice units, for the
// processor to read; eqs. (L5) of docs/src/theory/lbm.md and (H14) of docs/src/theory/heat.md.
//
// f, warm: what is stored, before a step of this parity; see flow.cuh. flow: density less one, then the velocity's three
// components, then the temperature, each for all cells of the slab, x fastest; each value is written by one thread. Threads go
// on by as many rows as the launch has.
#include "lbm/flow.cuh"

// Some rows of own cells, those together that lie in one row of the case's cells; mirrored in
// crates/lbm/src/gpu/numbers.rs.
struct Slab {
    int64 first;    // number of the first of the case's rows
    int rows;       // how many of the lattice
    int cuts[2];    // cells of the lattice in one of the case's, in y and z
    int per_layer;  // rows of the case that follow each other in each of its layers
};
static_assert(sizeof(Slab) == sizeof(int64) + 4 * sizeof(int), "mirrored in Rust");

KERNEL flow_of_cells(const Layout layout, const Rates rates, const HeatRates heat, const Slab slab,
                     const int parity, const Stored* f, const Stored* warm, Real* flow) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int together = slab.cuts[0] * slab.cuts[1], across = layout.cells[1] / slab.cuts[0];
    const int64 values = static_cast<int64>(slab.rows) * layout.cells[0];
    for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < slab.rows;
         row += gridDim.y * blockDim.y) {
        if (i >= layout.cells[0]) return;
        const int nth = row / together, part = row % together;
        const int64 coarse = slab.first + static_cast<int64>(nth / slab.per_layer) * across + nth % slab.per_layer;
        const int j = static_cast<int>(coarse % across) * slab.cuts[0] + part % slab.cuts[0];
        const int k = static_cast<int>(coarse / across) * slab.cuts[1] + part / slab.cuts[0];
        Real temperature = Real(0);
        const Moments found = flow_of(layout, {i, j, k}, parity, rates, heat, f, warm, temperature);
        Real* const to = flow + static_cast<int64>(row) * layout.cells[0] + i;
        to[0] = found.density_deviation;
        for (int d = 0; d < 3; ++d) to[(d + 1) * values] = found.u[d];
        if (heat.is_there) to[(3 + 1) * values] = temperature;
    }
}
