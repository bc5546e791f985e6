// Collision in moment space, d'Humieres et al. (2002), factorised: no matrix is multiplied. Only
// moments whose rate differs from that of their even or odd rest are projected out; eqs. (L9) to (L11)
// of docs/src/theory/lbm.md. Twin of crates/lbm/src/collide/mrt.rs.
#pragma once
#include "lbm/collide.cuh"

// By shell, 0 to 3.
struct Shells {
    double of[4];
};

// Polynomials in the squared speed: their values on the shells over their norms, so that the
// projection of x is `value(n2) * sum of value(n2) x / norm`.
struct Polynomial {
    double value[4];
    double norm;
};

// Velocities in each shell.
INLINE constexpr Shells count() {
    const Velocities all = velocities();
    Shells found = {};
    for (int q = 0; q < Q; ++q) found.of[square(all.c[q])] += 1.0;
    return found;
}

INLINE constexpr double product(const Shells& count, const double (&a)[4], const double (&b)[4]) {
    double sum = 0.0;
    for (int shell = 0; shell < 4; ++shell) sum += count.of[shell] * a[shell] * b[shell];
    return sum;
}

INLINE constexpr double mean(const Shells& count, const double (&value)[4]) {
    const double one[4] = {1.0, 1.0, 1.0, 1.0};
    return product(count, value, one) / product(count, one, one);
}

// n2, orthogonal to 1.
INLINE constexpr Polynomial energy_polynomial() {
    const double second[4] = {0.0, 1.0, 2.0, 3.0};
    const double middle = mean(count(), second);
    Polynomial found = {{-middle, 1.0 - middle, 2.0 - middle, 3.0 - middle}, 0.0};
    found.norm = product(count(), found.value, found.value);
    return found;
}

// n4, orthogonal to 1 and n2.
INLINE constexpr Polynomial energy_square_polynomial() {
    const double fourth[4] = {0.0, 1.0, 4.0, 9.0};
    const double middle = mean(count(), fourth);
    const Polynomial energy = energy_polynomial();
    const double slope = product(count(), fourth, energy.value) / energy.norm;
    Polynomial found = {};
    for (int shell = 0; shell < 4; ++shell) {
        found.value[shell] = fourth[shell] - middle - slope * energy.value[shell];
    }
    found.norm = product(count(), found.value, found.value);
    return found;
}

// Factor of n2 c that is orthogonal to c, by shell, and the norm of one component.
INLINE constexpr Polynomial flux_polynomial() {
    // Each of the D components has this share of the velocities' squares.
    const Shells all = count();
    const Shells share = {{0.0, all.of[1], 2.0 * all.of[2], 3.0 * all.of[3]}};
    const double total = share.of[1] + share.of[2] + share.of[3];
    const double middle = (share.of[1] + 2.0 * share.of[2] + 3.0 * share.of[3]) / total;
    Polynomial found = {{0.0, 1.0 - middle, 2.0 - middle, 3.0 - middle}, 0.0};
    found.norm = product(share, found.value, found.value) / D;
    return found;
}

// Norm of the frame c_d2 - n2 / D, of which D make D - 1 moments.
INLINE constexpr double normal_stress_norm() {
    const Velocities all = velocities();
    double sum = 0.0;
    for (int q = 0; q < Q; ++q) {
        const double x = static_cast<double>(all.c[q][0]) * static_cast<double>(all.c[q][0]) -
                         static_cast<double>(square(all.c[q])) / D;
        sum += x * x;
    }
    return sum * D / (D - 1.0);
}

// Norm of c_x c_y.
INLINE constexpr double shear_stress_norm() {
    const Velocities all = velocities();
    double sum = 0.0;
    for (int q = 0; q < Q; ++q) sum += all.c[q][0] != 0 && all.c[q][1] != 0 ? 1.0 : 0.0;
    return sum;
}

// The value of a polynomial on a shell.
INLINE double value_of_energy(int shell) {
    constexpr Polynomial energy = energy_polynomial();
    return energy.value[shell];
}
INLINE double value_of_energy_square(int shell) {
    constexpr Polynomial energy_square = energy_square_polynomial();
    return energy_square.value[shell];
}
INLINE double value_of_flux(int shell) {
    constexpr Polynomial flux = flux_polynomial();
    return flux.value[shell];
}

// The sum over the shells that the lattice has; eq. (L11).
INLINE Real weighted(const Real (&shells)[4], const Polynomial& of, bool with_rest) {
    constexpr Shells n = count();
    Real sum = shells[1] * Real(of.value[1]);
    if (with_rest) sum = shells[0] * Real(of.value[0]) + sum;
    if (n.of[2] > 0.0) sum = sum + shells[2] * Real(of.value[2]);
    if (n.of[3] > 0.0) sum = sum + shells[3] * Real(of.value[3]);
    return sum;
}

// What a population of a shell has of both.
INLINE Real isotropic(int shell, Real energy, Real square) {
    return energy * Real(value_of_energy(shell)) + square * Real(value_of_energy_square(shell));
}

// One rate for each kind of moment; eq. (L9).
INLINE void collide_mrt(Real (&h)[Q], const Rates& rates, Real unit) {
    constexpr Polynomial of_energy = energy_polynomial(), of_square = energy_square_polynomial();
    constexpr Polynomial of_flux = flux_polynomial();
    const Moments found = moments(h, rates, unit);
    const Departure left = departure(h, found, rates, unit);

    // Sums over shells, of even parts and of odd parts times c.
    Sum shell_sums[4] = {}, flux_sums[4][3] = {};
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) {
        add(shell_sums[shell_of(p)], 1, left.even[p]);
#pragma unroll
        for (int d = 0; d < 3; ++d) add(flux_sums[shell_of(p)][d], c(p, d), left.odd[p]);
    }
    Real shells[4] = {left.rest};
#pragma unroll
    for (int shell = 1; shell < 4; ++shell) shells[shell] = either(shell_sums[shell], Real(0)) * Real(2);

    // What energy and its square relax more than the other even moments.
    const Real energy = weighted(shells, of_energy, true) *
                        ((rates.energy - rates.even) * Real(1.0 / of_energy.norm));
    const Real square_of_energy = weighted(shells, of_square, true) *
                                  ((rates.energy_square - rates.even) * Real(1.0 / of_square.norm));

    // The same for viscous stress.
    const Stress stress(left.even);
    const Real trace =
        (stress.diagonal[0] + stress.diagonal[1] + stress.diagonal[2]) * Real(1.0 / D);
    const Real normal = (rates.omega_plus - rates.even) * Real(1.0 / normal_stress_norm());
    const Real tangential = (rates.omega_plus - rates.even) * Real(1.0 / shear_stress_norm());
    Real normal_stress[3], shear_stress[3];
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        normal_stress[d] = (stress.diagonal[d] - trace) * normal;
        shear_stress[d] = stress.shear[d] * tangential;
    }

    // And for the energy flux among odd moments.
    const Real factor = (rates.flux - rates.odd) * Real(2.0 / of_flux.norm);
    Real flux[3];
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        const Real sums[4] = {Real(0), either(flux_sums[1][d], Real(0)),
                              either(flux_sums[2][d], Real(0)), either(flux_sums[3][d], Real(0))};
        flux[d] = weighted(sums, of_flux, false) * factor;
    }

    h[0] = h[0] - (left.rest * rates.even + isotropic(0, energy, square_of_energy));
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) {
        const Real viscous = twofold(p, normal_stress, shear_stress);
        const Real even =
            left.even[p] * rates.even + isotropic(shell_of(p), energy, square_of_energy) + viscous;
        const Real odd = left.odd[p] * rates.odd + along(p, flux) * Real(value_of_flux(shell_of(p)));
        relax(h, p, even, odd);
    }
    push(h, found.u, rates, unit);
}
