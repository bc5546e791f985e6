// Carries a scalar beside heat or another one: its lattice is taken, collides with the velocity that the flow finds in
// stream_collide_warm.cu afterwards, and is left; eqs. (H14) and (H15) of docs/src/theory/heat.md. Twin of the loop over `others`
// in crates/lbm/src/cpu/warm_rows.rs.
//
// f and warm: the populations of the flow and of what may move it, in the places of layout.cuh, are read; those of the scalar in
// `carried` are written. sources: what comes in of it by place, if it says so. Threads and broken are as in stream_collide.cu, broken where the scalar is not finite.
#include "lbm/collide.cuh"
#include "lbm/heat.cuh"

KERNEL carry_scalar(const Layout layout, const Region region, const Rates rates, const HeatRates heat,
                    const HeatRates scalar, const int parity, const Stored* sources, const Stored* f,
                    const Stored* warm, Stored* carried, int* broken) {
    const Own own = cell_of_region(layout, region);
    if (!own.is_one) return;
    const Cell cell = cell_at(layout, parity, own.at);
    Real g[Q], h[WARM], temperature = Real(0);
    take(layout, cell, f, g);
    const Moments flow = moments(g, rates_of_cell(layout, cell, rates, heat, warm, temperature));
    take_heat(layout, cell, carried, h);
    const Real value = temperature_of(h);
    collide_heat(h, value, flow.u, scalar, source_of(cell, scalar, sources));
#pragma unroll
    for (int q = 0; q < WARM; ++q) carried[warm_leaving(layout, cell, q)] = population_of(h[q]);
    if (!(value - value == Real(0))) *broken = 1;
}
