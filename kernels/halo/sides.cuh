// What a pass of the halo exchange moves across the two sides of a direction. Twin of `Sides` and
// `slot` in crates/gpu/src/halo/sides.rs.
#pragma once
#include "device.cuh"

// Cells sent or received at each side.
struct Sides {
    uint32 low;
    uint32 high;
};
static_assert(sizeof(Sides) == 8, "as in Rust");

// Where a value lies in the messages of a pass: first the whole message of the low side, then that
// of the high side, each with one array after the other. `cell` counts the cells of both sides.
INLINE int64 slot(const Sides& sides, int64 array, int64 arrays, int64 cell) {
    const int64 low = sides.low, high = sides.high;
    return cell < low ? array * low + cell : arrays * low + array * high + (cell - low);
}
