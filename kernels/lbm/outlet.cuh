// What comes back from an outlet; eqs. (L15) and (L16) of docs/src/theory/lbm.md. Twin of
// `from_outlet` in crates/lbm/src/view.rs.
#pragma once
#include "lbm/collide.cuh"

// The velocity of a cell, from the populations that leave it.
INLINE void velocity_before(const Real (&left)[Q], const Rates& rates, Real (&u)[3]) {
    const Moments after = moments(left, rates);
    // The collision has added the whole force, of which half belongs to this moment.
    const Real half = Real(0.5);
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        u[d] = rates.is_forced ? after.momentum[d] - half * rates.force[d] : after.u[d];
    }
}

// Lets an outlet across a direction, outward on its high side, answer the populations `left` that
// leave the cell before it, each as if it went straight through. `memory` is the velocity that the
// outlet is used to, in cells per step.
INLINE void from_outlet(const Real (&left)[Q], const Rates& rates, Real forget, int direction,
                        bool high, Real& memory, Real (&answers)[Q]) {
    Real u[3];
    velocity_before(left, rates, u);
    const Real across = direction == 0 ? u[0] : direction == 1 ? u[1] : u[2];
    const Real speed = (high ? Real(1) : Real(-1)) * across;
    const Real density_deviation = Real(1.7320508075688772) * (speed - memory);
    memory = memory + forget * (speed - memory);
    const Equilibrium equilibrium(density_deviation, u);
    answers[0] = left[0];
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) {
        const Real even = equilibrium.even(p);
#pragma unroll
        for (int q = 2 * p + 1; q <= 2 * p + 2; ++q) answers[q] = (even + even) - left[q];
    }
}

// The value of a population along an axis, which come first; by choice, so that all stay in registers.
INLINE Real along_axis(const Real (&of)[Q], int which) {
    Real found = of[1];
#pragma unroll
    for (int q = 2; q <= 2 * D; ++q) found = which == q ? of[q] : found;
    return found;
}

// The weight of a population over that of those along the axes.
INLINE Real share_of(int q) { return Real(w((q - 1) / 2) / w(0)); }
