// stream_collide.cu for a flow with heat: both lattices are taken, collide with each other's numbers and are left; eqs. (L4)
// to (L12) and (L17) of docs/src/theory/lbm.md and (H14) to (H16) of docs/src/theory/heat.md. Twin of
// crates/lbm/src/cpu/warm_rows.rs.
//
// warm: the populations of heat, in the places of layout.cuh as f; sources: what comes into cells by place, if heat says that it
// does, see source_of; threads, f and broken are as in stream_collide.cu, broken
// also where a temperature is not finite.
#include "lbm/collisions.cuh"
#include "lbm/heat.cuh"

KERNEL stream_collide_warm(const Layout layout, const Region region, const Rates rates, const HeatRates heat,
                           const int parity, const Stored* sources, Stored* f, Stored* warm, int* broken) {
    const Own own = cell_of_region(layout, region);
    if (!own.is_one) return;
    const Cell cell = cell_at(layout, parity, own.at);
    Real g[Q], h[WARM];
    take_heat(layout, cell, warm, h);
    take(layout, cell, f, g);
    const Real temperature = temperature_of(h);
    const Rates there = with_lift(temperature, rates, heat);
    // Heat first: its populations are then out of the way.
    collide_heat(h, temperature, moments(g, there).u, heat, source_of(cell, heat, sources));
#pragma unroll
    for (int q = 0; q < WARM; ++q) warm[warm_leaving(layout, cell, q)] = population_of(h[q]);
    collide(g, there);
    leave(layout, cell, g, f);
    // Of a number that is not finite nothing is left but not-a-number.
    if (!(g[0] - g[0] == Real(0)) || !(temperature - temperature == Real(0))) *broken = 1;
}
