// Lets heat out of the cells before outlets, before the flow's populations there are answered; eq. (H17) of
// docs/src/theory/heat.md. Twin of `release_outlet` in crates/lbm/src/cpu/heat.rs.
//
// Thread n does the cell before an outlet with own indices cells[n], cells[n + count] and cells[n + 2 count]. leaves[n]: bit
// q says that population q of heat meets the outlet. sources: what comes into cells by place, see source_of. f and warm: the populations of the flow and of heat in the places of
// layout.cuh, after the step of this parity; those of heat that meet the outlet are overwritten. felt[n] becomes the
// temperature of the cell in this step, from which outlet.cu knows the force that it has felt.
#include "lbm/heat.cuh"
#include "lbm/outlet.cuh"

KERNEL release_heat(const Layout layout, const Rates rates, const HeatRates heat, const int parity, const int count,
                    const int* cells, const uint32* leaves, const Stored* sources, const Stored* f, Stored* warm, Real* felt) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count) return;
    const int64 i = n, j = i + count, k = j + count;
    const Cell cell = cell_at(layout, parity, {cells[i], cells[j], cells[k]});
    Real left[Q], h[WARM], u[3];
#pragma unroll
    for (int q = 0; q < Q; ++q) left[q] = number_of(f[leaving(layout, cell, q)]);
    left_heat(layout, cell, warm, h);
    const Real temperature = temperature_before(h, source_of(cell, heat, sources));
    velocity_before(left, with_lift(temperature, rates, heat), u);
    let_out(layout, cell, leaves[n], temperature, u, h, warm);
    felt[n] = temperature;
}
