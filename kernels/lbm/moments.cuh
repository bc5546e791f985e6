// Moments of populations, which may be stored instead of them; eqs. (L20) to (L22) of docs/src/theory/lbm.md. Twin of
// crates/lbm/src/moments/collide.rs, with the same names and order of operations.
#pragma once
#include "lbm/collide.cuh"
#include "lbm/layout.cuh"

// Density less one, momentum in x, y and z, and second moments xx, yy, zz, xy, xz, yz of the populations that arrive in a
// cell. STORES_MOMENTS is 1 if these are stored, else 0.
constexpr int NUMBERS = 10;
// So many cells of a row lie together, number by number. Both mirrored in crates/lbm/src/moments/places.rs.
constexpr int LANES = 32;

// Where the cell of this index lies in a row of so many own cells: halo cells lie behind these, first that beyond the last.
INLINE int place_in_row(int i, int cells) {
    const int at = i < 0 ? cells + 1 : i;
    return at / LANES * (LANES * NUMBERS) + at % LANES;
}

// Density and velocity of a cell whose moments begin here.
INLINE Moments flow_of_moments(const Stored* m, const Rates& rates) {
    Moments found;
    found.density_deviation = number_of(m[0]);
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        found.momentum[d] = number_of(m[(1 + d) * LANES]);
        found.u[d] = rates.is_forced ? found.momentum[d] + Real(0.5) * rates.force[d] : found.momentum[d];
    }
    return found;
}

// Those of these populations; eq. (L20).
INLINE void moments_of(const Real (&h)[Q], const Rates& rates, Real (&m)[NUMBERS]) {
    const Moments found = moments(h, rates);
    m[0] = found.density_deviation;
#pragma unroll
    for (int d = 0; d < 3; ++d) m[1 + d] = found.momentum[d];
    Sum diagonal[3] = {}, shear[3] = {};
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) {
        const Real both = h[2 * p + 1] + h[2 * p + 2];
#pragma unroll
        for (int d = 0; d < 3; ++d) {
            add(diagonal[d], c(p, d) * c(p, d), both);
            add(shear[d], shear_of(p, d), both);
        }
    }
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        m[4 + d] = either(diagonal[d], Real(0));
        m[7 + d] = either(shear[d], Real(0));
    }
}

// The populations that leave a cell after a regularised collision; eqs. (L21) and (L22).
INLINE void leaving_of(const Real (&m)[NUMBERS], const Rates& rates, Real (&h)[Q]) {
    const Real keep = Real(1) - rates.omega_plus, third = m[0] * Real(1.0 / 3.0);
    Real u[3], momentum[3], diagonal[3], shear[3];
#pragma unroll
    for (int d = 0; d < 3; ++d) u[d] = momentum[d] = m[1 + d];
    if (rates.is_forced) {
#pragma unroll
        for (int d = 0; d < 3; ++d) {
            u[d] = u[d] + rates.force[d] * Real(0.5);
            momentum[d] = momentum[d] + rates.force[d];
        }
    }
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        const int a = one_of_shear(d), b = other_of_shear(d);
        const Real square = u[d] * u[d], product = u[a] * u[b];
        diagonal[d] = square + ((m[4 + d] - third) - square) * keep;
        shear[d] = product + (m[7 + d] - product) * keep;
    }
    if (rates.is_forced) {
        const Real share = Real(1) - rates.omega_plus * Real(0.5);
#pragma unroll
        for (int d = 0; d < 3; ++d) {
            const int a = one_of_shear(d), b = other_of_shear(d);
            const Real power = u[d] * rates.force[d];
            diagonal[d] = diagonal[d] + (power + power) * share;
            shear[d] = shear[d] + (u[a] * rates.force[b] + u[b] * rates.force[a]) * share;
        }
    }
    // Of shear both halves count.
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        diagonal[d] = diagonal[d] * Real(4.5);
        shear[d] = shear[d] * Real(9);
    }
    const Real trace = diagonal[0] + diagonal[1] + diagonal[2];
    const Real base = m[0] - trace * Real(1.0 / 3.0);
    h[0] = base * Real(w_rest());
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) {
        const Real even = (base + twofold(p, diagonal, shear)) * Real(w(p));
        const Real odd = Equilibrium::odd(p, momentum);
        h[2 * p + 1] = even + odd;
        h[2 * p + 2] = even - odd;
    }
}
