// Velocity sets, derived from their shells when the kernels are compiled; eqs. (L1) and (L2) of
// docs/src/theory/lbm.md. Twin of crates/lbm/src/lattice.rs.
//
// Loops over pairs and directions are unrolled, so that what follows from a velocity or weight is
// known when the kernels are compiled: no table is read at run time.
#pragma once
#include "device.cuh"

// LATTICE is one of these: the number of its velocities.
enum Lattices { D2Q9 = 9, D3Q15 = 15, D3Q19 = 19, D3Q27 = 27 };
constexpr int Q = LATTICE;
// Pairs of opposite velocities: 2 p + 1 and 2 p + 2.
constexpr int PAIRS = (Q - 1) / 2;
// Directions in which there are velocities.
constexpr int D = Q == D2Q9 ? 2 : 3;
// Weights are whole numbers in these units.
constexpr int UNITS = 216;

// The first velocity is zero; the first component of 2 p + 1 that is not zero is positive.
struct Velocities {
    int c[Q][3];
};
struct Weights {
    double w[Q];
};

// Squared length.
INLINE constexpr int square(const int (&c)[3]) { return c[0] * c[0] + c[1] * c[1] + c[2] * c[2]; }

// Whether the lattice has the velocities of this squared length.
INLINE constexpr bool has_shell(int square) {
    return square <= 1 ? true : square == 2 ? Q != D3Q15 : Q == D3Q15 || Q == D3Q27;
}

INLINE constexpr Velocities velocities() {
    Velocities found = {};
    int q = 1;
    for (int shell = 1; shell <= 3; ++shell) {
        // All 27 velocities, from (1, 1, 1) down to (-1, -1, -1); the first half is positive.
        for (int number = 0; number < 13; ++number) {
            const int v[3] = {1 - number / 9, 1 - number / 3 % 3, 1 - number % 3};
            if (square(v) != shell || !has_shell(shell) || (D == 2 && v[2] != 0)) continue;
            for (int d = 0; d < 3; ++d) {
                found.c[q][d] = v[d];
                found.c[q + 1][d] = -v[d];
            }
            q += 2;
        }
    }
    return found;
}

// Weights from the isotropy of the second, fourth and (D3Q27) sixth moments; eq. (L2).
INLINE constexpr Weights weights() {
    const Velocities all = velocities();
    // How many velocities of each shell have a component in x, and how many in x and y.
    int x[4] = {}, xy[4] = {}, w[4] = {};
    for (int q = 1; q < Q; ++q) {
        const int shell = square(all.c[q]);
        x[shell] += all.c[q][0] != 0;
        xy[shell] += all.c[q][0] != 0 && all.c[q][1] != 0;
    }
    w[3] = Q == D3Q27 ? UNITS / 27 / xy[3] : Q == D3Q15 ? UNITS / 9 / xy[3] : 0;
    w[2] = xy[2] > 0 ? (UNITS / 9 - xy[3] * w[3]) / xy[2] : 0;
    w[1] = (UNITS / 3 - x[2] * w[2] - x[3] * w[3]) / x[1];
    Weights found = {};
    int rest = UNITS;
    for (int q = 1; q < Q; ++q) {
        const int units = w[square(all.c[q])];
        rest -= units;
        found.w[q] = static_cast<double>(units) / UNITS;
    }
    found.w[0] = static_cast<double>(rest) / UNITS;
    return found;
}

// Component d of velocity q.
INLINE int component(int q, int d) {
    constexpr Velocities all = velocities();
    return all.c[q][d];
}

// The velocity with which pair p is numbered.
INLINE int c(int p, int d) { return component(2 * p + 1, d); }

// Its squared length.
INLINE int shell_of(int p) { return c(p, 0) * c(p, 0) + c(p, 1) * c(p, 1) + c(p, 2) * c(p, 2); }

// The weight of a pair, and that of the population at rest.
INLINE double w(int p) {
    constexpr Weights all = weights();
    return all.w[2 * p + 1];
}
INLINE double w_rest() {
    constexpr Weights all = weights();
    return all.w[0];
}

// The number of the opposite velocity.
INLINE int opposite(int q) { return q == 0 ? 0 : ((q - 1) ^ 1) + 1; }

// A sum that is nothing until something is added.
struct Sum {
    Real sum;
    bool something;
};

// Adds `sign` times a number; `sign` is -1, 0 or 1.
INLINE void add(Sum& to, int sign, Real x) {
    if (sign == 0) return;
    if (to.something) {
        to.sum = sign > 0 ? to.sum + x : to.sum - x;
    } else {
        to.sum = sign > 0 ? x : -x;
    }
    to.something = true;
}

// The sum, or what there is instead if nothing was added.
INLINE Real either(const Sum& sum, Real nothing) { return sum.something ? sum.sum : nothing; }
