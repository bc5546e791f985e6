// The forces on surfaces, added up exactly: what each part of a surface feels is a whole number of units, so that
// no order matters; eq. (P6) of docs/src/theory/post.md. Twin of crates/core/src/surface_force.rs.
//
// A kernel is given the first part of each surface and behind the last, the units of force (N) and torque (N m) of each
// surface, and FORCE_SUMS numbers for each to which it adds. A row of blocks does the parts of one surface.
#pragma once
#include "device.cuh"

// Three components of the force, and the torque, each in limbs of 32 bits, the lowest first; then how many shares were
// no numbers. Mirrored in crates/gpu/src/forces.rs.
constexpr int FORCE_NUMBERS = 4, FORCE_LIMBS = 4, FORCE_SUMS = FORCE_NUMBERS * FORCE_LIMBS + 1;

// No share may be larger, in units: 2^110.
constexpr double MOST_OF_FORCE = 1298074214633706907132624082305024.0;

// What a thread has added up.
struct ForceSum {
    int64 limbs[FORCE_NUMBERS][FORCE_LIMBS];
    int64 no_numbers;
};

// A sum of nothing.
INLINE ForceSum no_force() {
    ForceSum sum;
#pragma unroll
    for (int n = 0; n < FORCE_NUMBERS; ++n) {
#pragma unroll
        for (int limb = 0; limb < FORCE_LIMBS; ++limb) sum.limbs[n][limb] = 0;
    }
    sum.no_numbers = 0;
    return sum;
}

// Adds a share in units, rounded: all limbs have its sign.
INLINE void add_share(ForceSum& sum, int n, double share) {
    if (!(fabs(share) < MOST_OF_FORCE)) {
        sum.no_numbers += 1;
        return;
    }
    double rest = rint(share), unit = 79228162514264337593543950336.0;  // 2^96
#pragma unroll
    for (int limb = FORCE_LIMBS - 1; limb >= 0; --limb) {
        const double whole = trunc(rest / unit);
        sum.limbs[n][limb] += static_cast<int64>(whole);
        rest -= whole * unit;
        unit /= 4294967296.0;
    }
}

// Torque in N m of a force in N at the end of an arm in m.
INLINE double torque_of(const double (&arm)[2], const double (&force)[3]) {
    return arm[0] * force[1] - arm[1] * force[0];
}

// Adds a force in N and a torque in N m.
INLINE void add_force(ForceSum& sum, const double (&force)[3], const double torque, const double* units) {
#pragma unroll
    for (int d = 0; d < 3; ++d) add_share(sum, d, force[d] / units[0]);
    add_share(sum, 3, torque / units[1]);
}

// Adds what all threads have to a surface's sums; every thread of the block calls it.
INLINE void add_up(const ForceSum& sum, int64* sums) {
#pragma unroll
    for (int n = 0; n < FORCE_NUMBERS; ++n) {
#pragma unroll
        for (int limb = 0; limb < FORCE_LIMBS; ++limb) add_up(sums + n * FORCE_LIMBS + limb, sum.limbs[n][limb]);
    }
    add_up(sums + FORCE_NUMBERS * FORCE_LIMBS, sum.no_numbers);
}

// The surface of a block, and what its threads do: `for (int64 n = first_part(first); n < first[surface_of_block() + 1];
// n += parts_at_once())`.
INLINE int surface_of_block() { return static_cast<int>(blockIdx.y); }
INLINE int64 first_part(const int64* first) {
    return first[surface_of_block()] + static_cast<int64>(blockIdx.x) * blockDim.x + threadIdx.x;
}
INLINE int64 parts_at_once() { return static_cast<int64>(blockDim.x) * gridDim.x; }
