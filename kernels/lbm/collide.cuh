// Collision of the populations of one cell; eqs. (L4) to (L12) of docs/src/theory/lbm.md. Twin of
// crates/lbm/src/collide.rs, with the same names and order of operations.
//
// Populations are stored without their weights, g = f - w, so that small numbers keep their digits.
// What a pair of opposite velocities has in common is called even, what has opposite signs odd.
//
// Populations may be given in a unit, as they are stored: a power of two, by which nothing else changes.
#pragma once
#include "lbm/lattice.cuh"

// The numbers of a collision, in lattice units; mirrored in crates/lbm/src/gpu/numbers.rs.
struct Rates {
    Real omega_plus;           // relaxation of even populations, which sets the viscosity; eq. (L3)
    Real omega_minus;          // of odd populations (TRT); eq. (L7)
    Real energy;         // of the energy, its square and other even moments (MRT); eq. (L9)
    Real energy_square;  // see energy
    Real even;           // see energy
    Real flux;           // of the energy flux and other odd moments (MRT); eq. (L9)
    Real odd;            // see flux
    Real force[3];       // on a cell
    uint32 is_forced;    // whether there is one
    uint32 unused;
};
static_assert(sizeof(Rates) == 10 * sizeof(Real) + 8, "mirrored in Rust");

// Density and velocity of a cell.
struct Moments {
    Real density_deviation;  // density less one, in the unit of populations
    Real momentum[3];        // of the populations and in their unit; half of the force is still to come
    Real u[3];
};

// Half of the force acts before, half after a collision; eq. (L5).
INLINE Moments moments(const Real (&h)[Q], const Rates& rates, Real unit = Real(1)) {
    Moments found;
    found.density_deviation = h[0];
    Sum momentum[3] = {};
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) {
        const Real one = h[2 * p + 1], other = h[2 * p + 2];
        found.density_deviation = found.density_deviation + (one + other);
        const Real odd = one - other;
#pragma unroll
        for (int d = 0; d < 3; ++d) add(momentum[d], c(p, d), odd);
    }
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        found.momentum[d] = either(momentum[d], Real(0));
        Real j = found.momentum[d];
        if (rates.is_forced) j = j + Real(0.5) * (rates.force[d] * (Real(1) / unit));
        found.u[d] = j * unit;
    }
    return found;
}

// Projection on the velocity of pair p.
INLINE Real along(int p, const Real (&v)[3]) {
    Sum sum = {};
#pragma unroll
    for (int d = 0; d < 3; ++d) add(sum, c(p, d), v[d]);
    return either(sum, v[0]);
}

// Equilibrium of a cell; eq. (L4).
struct Equilibrium {
    Real u[3];
    Real base;    // density less one, less 3/2 u2
    Real square;  // the factor of (c u)2

    // Of a density (as excess) and a velocity.
    INLINE Equilibrium(Real density_deviation, const Real (&u)[3], Real unit = Real(1))
        : u{u[0], u[1], u[2]}, square(Real(4.5) / unit) {
        const Real u2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        base = density_deviation - u2 * (Real(1.5) / unit);
    }
    // The even part of pair p.
    INLINE Real even(int p) const {
        const Real cu = along(p, u);
        return (base + (cu * cu) * square) * Real(w(p));
    }
    // That of the population at rest.
    INLINE Real rest() const { return base * Real(w_rest()); }
    // The odd part of pair p for a momentum.
    static INLINE Real odd(int p, const Real (&momentum)[3]) {
        return along(p, momentum) * Real(3.0 * w(p));
    }
};

// The force's share of populations; eq. (L6), Guo, Zheng and Shi (2002).
struct Source {
    Real u[3];
    Real force[3];
    Real power;  // 3 u F

    INLINE Source(const Real (&u)[3], const Rates& rates, Real unit) : u{u[0], u[1], u[2]} {
#pragma unroll
        for (int d = 0; d < 3; ++d) force[d] = rates.force[d] * (Real(1) / unit);
        power = (u[0] * force[0] + u[1] * force[1] + u[2] * force[2]) * Real(3);
    }
    INLINE Real even(int p) const {
        const Real both = along(p, u) * along(p, force);
        return (both * Real(9) - power) * Real(w(p));
    }
    INLINE Real rest() const { return -(power * Real(w_rest())); }
    INLINE Real odd(int p) const { return Equilibrium::odd(p, force); }
};

// What is left of the populations of a cell after its equilibrium and half of the force's share are
// taken away.
struct Departure {
    Real rest;
    Real even[PAIRS];
    Real odd[PAIRS];
};

INLINE Departure departure(const Real (&h)[Q], const Moments& found, const Rates& rates, Real unit) {
    const Real half = Real(0.5);
    const Equilibrium equilibrium(found.density_deviation, found.u, unit);
    Departure left;
    left.rest = h[0] - equilibrium.rest();
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) {
        const Real one = h[2 * p + 1], other = h[2 * p + 2];
        left.even[p] = (one + other) * half - equilibrium.even(p);
        // The momentum without half of the force: that is half of the force's odd share.
        left.odd[p] = (one - other) * half - Equilibrium::odd(p, found.momentum);
    }
    if (rates.is_forced) {
        const Source source(found.u, rates, unit);
        left.rest = left.rest + source.rest() * half;
#pragma unroll
        for (int p = 0; p < PAIRS; ++p) left.even[p] = left.even[p] + source.even(p) * half;
    }
    return left;
}

// Takes away what relaxes, in a pair.
INLINE void relax(Real (&h)[Q], int p, Real even, Real odd) {
    h[2 * p + 1] = (h[2 * p + 1] - even) - odd;
    h[2 * p + 2] = (h[2 * p + 2] - even) + odd;
}

// Adds the force's share.
INLINE void push(Real (&h)[Q], const Real (&u)[3], const Rates& rates, Real unit) {
    if (!rates.is_forced) return;
    const Source source(u, rates, unit);
    h[0] = h[0] + source.rest();
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) {
        const Real even = source.even(p), odd = source.odd(p);
        h[2 * p + 1] = (h[2 * p + 1] + even) + odd;
        h[2 * p + 2] = (h[2 * p + 2] + even) - odd;
    }
}

// One relaxation time for all; eq. (L8) with one rate.
INLINE void collide_srt(Real (&h)[Q], const Rates& rates, Real unit) {
    const Moments found = moments(h, rates, unit);
    const Departure left = departure(h, found, rates, unit);
    h[0] = h[0] - left.rest * rates.omega_plus;
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) relax(h, p, left.even[p] * rates.omega_plus, left.odd[p] * rates.omega_plus);
    push(h, found.u, rates, unit);
}

// Two relaxation times; eq. (L8).
INLINE void collide_trt(Real (&h)[Q], const Rates& rates, Real unit) {
    const Moments found = moments(h, rates, unit);
    const Departure left = departure(h, found, rates, unit);
    h[0] = h[0] - left.rest * rates.omega_plus;
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) relax(h, p, left.even[p] * rates.omega_plus, left.odd[p] * rates.omega_minus);
    push(h, found.u, rates, unit);
}

// The two directions of each shear stress: xy, xz, yz.
INLINE int one_of_shear(int d) { return d == 2 ? 1 : 0; }
INLINE int other_of_shear(int d) { return d == 0 ? 1 : 2; }
INLINE int shear_of(int p, int d) { return c(p, one_of_shear(d)) * c(p, other_of_shear(d)); }

// The sum of c_d c_d `diagonal` and c_a c_b `shear`, a < b, for the velocity c of pair p.
INLINE Real twofold(int p, const Real (&diagonal)[3], const Real (&shear)[3]) {
    Sum sum = {};
#pragma unroll
    for (int d = 0; d < 3; ++d) add(sum, c(p, d) * c(p, d), diagonal[d]);
#pragma unroll
    for (int d = 0; d < 3; ++d) add(sum, shear_of(p, d), shear[d]);
    return either(sum, diagonal[0]);
}

// Second moments of what departs from equilibrium; eq. (L10).
struct Stress {
    Real diagonal[3];  // xx, yy, zz
    Real shear[3];     // xy, xz, yz
    Real trace_third;  // a third of the diagonal's sum

    INLINE explicit Stress(const Real (&even)[PAIRS]) {
        Sum diagonal_sum[3] = {}, shear_sum[3] = {};
#pragma unroll
        for (int p = 0; p < PAIRS; ++p) {
#pragma unroll
            for (int d = 0; d < 3; ++d) {
                add(diagonal_sum[d], c(p, d) * c(p, d), even[p]);
                add(shear_sum[d], shear_of(p, d), even[p]);
            }
        }
        // Both populations of a pair count.
#pragma unroll
        for (int d = 0; d < 3; ++d) {
            diagonal[d] = either(diagonal_sum[d], Real(0)) * Real(2);
            shear[d] = either(shear_sum[d], Real(0)) * Real(2);
        }
        trace_third = (diagonal[0] + diagonal[1] + diagonal[2]) * Real(1.0 / 3.0);
    }
    // c c : stress for the velocity c of pair p.
    INLINE Real along(int p) const {
        const Real twice[3] = {shear[0] + shear[0], shear[1] + shear[1], shear[2] + shear[2]};
        return twofold(p, diagonal, twice);
    }
};

// Only the viscous stress survives a collision; eq. (L12).
INLINE void collide_regularised(Real (&h)[Q], const Rates& rates, Real unit) {
    const Moments found = moments(h, rates, unit);
    const Departure left = departure(h, found, rates, unit);
    const Stress stress(left.even);
    const Real keep = Real(4.5) * (Real(1) - rates.omega_plus);
    // What was taken away comes back without its odd part and with the stress's own even part.
    h[0] = (h[0] - left.rest) - stress.trace_third * (Real(w_rest()) * keep);
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) {
        const Real kept = (stress.along(p) - stress.trace_third) * (Real(w(p)) * keep);
        relax(h, p, left.even[p] - kept, left.odd[p]);
    }
    push(h, found.u, rates, unit);
}
