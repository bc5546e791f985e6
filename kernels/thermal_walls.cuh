// Values beyond solid boxes and bodies, as cells of the flow see them; eq. (H23) of docs/src/theory/heat.md. Twin of
// crates/core/src/thermal_walls.rs; for the kernels of finite differences and finite volumes.
//
// Lists have `count` cells: kinds two bits for each side, low and high of each direction, see WALL_HERE and WALL_BEYOND;
// numbers four for each side, those of all cells one after the other: constant, of_here, of_behind, again.
#pragma once
#include "device.cuh"

// Where a wall is, seen from a cell: before the next cell, or between that and the one after it.
constexpr int WALL_HERE = 1, WALL_BEYOND = 2;

// What is beside a cell on one side.
struct WalledSide {
    int place;
    Real constant, of_here, of_behind, again;
};

// That of cell n of a list.
INLINE WalledSide walled_side(const uint32* kinds, const Real* numbers, int count, int n, int side) {
    const Real* const first = numbers + static_cast<int64>(4 * side) * count + n;
    const int64 step = count;
    const WalledSide walled = {static_cast<int>(kinds[n] >> (2 * side) & 3), first[0], first[step], first[2 * step],
                               first[3 * step]};
    return walled;
}

// The difference from a cell to the value beyond the wall before it.
INLINE Real difference_beyond(const WalledSide& side, Real here, Real behind) {
    return side.constant + (side.of_here * here + side.of_behind * behind);
}

// Puts the two values on this side of a cell in place of those in the field; `opposite` is the next on the other side.
INLINE void beside(const WalledSide& side, Real here, Real opposite, Real& next, Real& second) {
    if (side.place == WALL_HERE) {
        const Real difference = difference_beyond(side, here, opposite);
        next = here + difference;
        second = next + side.again * difference;
    } else if (side.place == WALL_BEYOND) {
        second = next + difference_beyond(side, next, here);
    }
}
