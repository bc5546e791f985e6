// What comes back from an outlet; eqs. (L15) and (L16) of docs/src/theory/lbm.md. Twin of
// `from_outlet` in crates/lbm/src/view.rs.
#pragma once
#include "lbm/collide.cuh"

// Lets an outlet across a direction, outward on its high side, answer the populations `left` that
// leave the cell before it: bit q of `links` says that the one along q meets the outlet, and what comes
// back takes its place. `memory` is the velocity that the outlet is used to, in cells per step.
INLINE void from_outlet(Real (&left)[Q], const Rates& rates, Real forget, int direction, bool high,
                        uint32 links, Real& memory) {
    const Moments after = moments(left, rates);
    // The collision has added the whole force, of which half belongs to this moment.
    const Real half = Real(0.5);
    const Real inverse = Real(1) / after.rho;
    Real u[3];
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        u[d] = rates.is_forced ? (after.momentum[d] - half * rates.force[d]) * inverse : after.u[d];
    }
    const Real across = direction == 0 ? u[0] : direction == 1 ? u[1] : u[2];
    const Real speed = (high ? Real(1) : Real(-1)) * across;
    const Real excess = Real(1.7320508075688772) * (speed - memory);
    memory = memory + forget * (speed - memory);
    const Equilibrium equilibrium(excess, Real(1) + excess, u);
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) {
        const Real even = equilibrium.even(p);
#pragma unroll
        for (int q = 2 * p + 1; q <= 2 * p + 2; ++q) {
            if (links >> q & 1) left[q] = (even + even) - left[q];
        }
    }
}
