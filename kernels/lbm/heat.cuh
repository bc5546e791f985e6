// Heat on a lattice of its own, D3Q7, beside that of the flow; eqs. (H14) to (H17) of docs/src/theory/heat.md. Twin of
// crates/lbm/src/heat.rs, with the same names and order of operations.
//
// Its populations lie like those of the flow, in slots of a buffer of their own, see layout.cuh. Pair p goes along
// direction p, up as 2 p + 1 and down as 2 p + 2.
#pragma once
#include "lbm/collide.cuh"
#include "lbm/layout.cuh"

// The numbers of heat, in lattice units; mirrored in crates/lbm/src/gpu/numbers.rs.
struct HeatRates {
    Real omega_plus;     // relaxation of even populations; eq. (H15)
    Real omega_minus;    // relaxation of odd populations, which sets the diffusivity; eq. (H15)
    Real lift[3];        // force on a cell by a temperature of one; eq. (H16)
    Real source;         // what comes into a cell in a step, where it is the same in all; eq. (H20)
    uint32 is_there;     // whether the flow has heat; if not there are no populations of heat
    uint32 is_buoyant;   // whether there is a lift
    uint32 has_sources;  // whether what comes in is told by place
    uint32 unused;       // nothing
};
static_assert(sizeof(HeatRates) == 6 * sizeof(Real) + 16, "mirrored in Rust");

// Velocities of the lattice, and what populations weigh.
constexpr int WARM = 7;
constexpr int WARM_PAIRS = 3;
constexpr double WARM_WEIGHT = 0.125;
constexpr double WARM_REST = 0.25;
// The weight of a pair over the squared speed of what spreads.
constexpr double WARM_CARRIED = 0.5;

// Where an own cell finds population q of heat; see `own` and `next`.
INLINE int64 warm_arriving(const Layout& layout, const Cell& cell, int q) {
    if (q == 0) return cell.place;
    const int p = (q - 1) / 2;
    const int64 slot = 2 * p * layout.slot;
    if (q % 2 == 1) {
        const int64 column = p == 0 && cell.own_in_column ? cell.to_own_column : 0;
        return (cell.low[p] ? cell.single_own : cell.shared_own) + column + slot;
    }
    const int64 step = p == 0 && cell.next_in_column ? cell.to_next_column : cell.up[p];
    return (cell.high[p] ? cell.single_next : cell.shared_next) + step + slot;
}

// Where it leaves it.
INLINE int64 warm_leaving(const Layout& layout, const Cell& cell, int q) {
    return warm_arriving(layout, cell, opposite(q));
}

// The populations of heat that arrive in an own cell.
INLINE void take_heat(const Layout& layout, const Cell& cell, const Stored* heat, Real (&h)[WARM]) {
#pragma unroll
    for (int q = 0; q < WARM; ++q) h[q] = number_of(heat[warm_arriving(layout, cell, q)]);
}

// Temperature of a cell; eq. (H14).
INLINE Real temperature_of(const Real (&h)[WARM]) {
    Real sum = h[0];
#pragma unroll
    for (int p = 0; p < WARM_PAIRS; ++p) sum = sum + (h[2 * p + 1] + h[2 * p + 2]);
    return sum;
}

// The numbers of the flow's collision with the force on a cell of this temperature; eq. (H16).
INLINE Rates with_lift(Real temperature, const Rates& rates, const HeatRates& heat) {
    Rates there = rates;
    if (!heat.is_buoyant) return there;
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        const Real lift = temperature * heat.lift[d];
        there.force[d] = rates.is_forced ? rates.force[d] + lift : lift;
    }
    there.is_forced = 1;
    return there;
}

// The same of a cell whose temperature is still to be found, if the flow has heat.
INLINE Rates rates_of_cell(const Layout& layout, const Cell& cell, const Rates& rates, const HeatRates& heat,
                           const Stored* populations, Real& temperature) {
    if (!heat.is_there) return rates;
    Real h[WARM];
    take_heat(layout, cell, populations, h);
    temperature = temperature_of(h);
    return with_lift(temperature, rates, heat);
}

// The odd part of pair p at equilibrium.
INLINE Real warm_odd(int p, Real temperature, const Real (&u)[3]) { return (temperature * u[p]) * Real(WARM_CARRIED); }

// What comes into an own cell in a step; sources lie where populations 0 do.
INLINE Real source_of(const Cell& cell, const HeatRates& rates, const Stored* sources) {
    return rates.has_sources ? number_of(sources[cell.place]) : rates.source;
}

// Two relaxation times, with the velocity of the same cell and step, and what comes in, if anything does; eqs. (H15), (H20).
INLINE void collide_heat(Real (&h)[WARM], Real temperature, const Real (&u)[3], const HeatRates& rates, Real source) {
    const Real half = Real(0.5);
    const bool comes = rates.has_sources || rates.source != Real(0);
    h[0] = h[0] - (h[0] - temperature * Real(WARM_REST)) * rates.omega_plus;
    if (comes) h[0] = h[0] + source * Real(WARM_REST);
#pragma unroll
    for (int p = 0; p < WARM_PAIRS; ++p) {
        const Real one = h[2 * p + 1], other = h[2 * p + 2];
        const Real even = ((one + other) * half - temperature * Real(WARM_WEIGHT)) * rates.omega_plus;
        const Real odd = ((one - other) * half - warm_odd(p, temperature, u)) * rates.omega_minus;
        h[2 * p + 1] = (one - even) - odd;
        h[2 * p + 2] = (other - even) + odd;
        if (comes) {
            const Real part = source * Real(WARM_WEIGHT);
            h[2 * p + 1] = h[2 * p + 1] + part;
            h[2 * p + 2] = h[2 * p + 2] + part;
        }
    }
}

// The populations of heat that a cell has left in a step that is done.
INLINE void left_heat(const Layout& layout, const Cell& cell, const Stored* heat, Real (&h)[WARM]) {
#pragma unroll
    for (int q = 0; q < WARM; ++q) h[q] = number_of(heat[warm_leaving(layout, cell, q)]);
}

// Temperature that a cell had in a step that left these populations, in which so much came in.
INLINE Real temperature_before(const Real (&left)[WARM], Real source) { return temperature_of(left) - source; }

// Lets them out of a cell of this temperature before outlets, which populations meet whose bits are set in `leaves`; eq. (H17).
INLINE void let_out(const Layout& layout, const Cell& cell, uint32 leaves, Real temperature, const Real (&u)[3],
                    const Real (&h)[WARM], Stored* heat) {
#pragma unroll
    for (int q = 1; q < WARM; ++q) {
        if (!(leaves >> q & 1)) continue;
        const Real away = warm_odd((q - 1) / 2, temperature, u);
        const Real twice = away + away;
        const Real carried = q % 2 == 1 ? twice : -twice;
        heat[warm_leaving(layout, cell, q)] = population_of(h[q] - carried);
    }
}
