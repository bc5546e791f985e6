// Lets a scalar beside heat or another one out of the cells before outlets, before release_heat.cu does so; eq. (H17) of
// docs/src/theory/heat.md. Twin of `release_outlet` in crates/lbm/src/cpu/heat.rs.
//
// Threads, cells, leaves, f and warm are as there, warm being read, and heat_sources as sources there; `carried` are the populations
// of the scalar: those that meet the outlet are overwritten. sources: what comes in of it by place.
#include "lbm/heat.cuh"
#include "lbm/outlet.cuh"

KERNEL release_scalar(const Layout layout, const Rates rates, const HeatRates heat, const HeatRates scalar,
                      const int parity, const int count, const int* cells, const uint32* leaves, const Stored* heat_sources,
                      const Stored* sources, const Stored* f, const Stored* warm, Stored* carried) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count) return;
    const int64 i = n, j = i + count, k = j + count;
    const Cell cell = cell_at(layout, parity, {cells[i], cells[j], cells[k]});
    Real left[Q], h[WARM], u[3];
#pragma unroll
    for (int q = 0; q < Q; ++q) left[q] = number_of(f[leaving(layout, cell, q)]);
    left_heat(layout, cell, warm, h);
    const Real temperature = temperature_before(h, source_of(cell, heat, heat_sources));
    velocity_before(left, with_lift(temperature, rates, heat), u);
    left_heat(layout, cell, carried, h);
    let_out(layout, cell, leaves[n], temperature_before(h, source_of(cell, scalar, sources)), u, h, carried);
}
