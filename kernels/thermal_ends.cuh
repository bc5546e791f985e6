// Temperatures beyond the ends of the box, in two layers; eq. (H9) of docs/src/theory/heat.md. Twin of
// crates/core/src/thermal_ends.rs; for the kernels of finite differences and finite volumes.
#pragma once
#include "device.cuh"

// An end of a subdomain; mirrored in crates/gpu/src/thermal_ends.rs.
struct End {
    int64 first;      // place of its first cell
    int64 outward;    // from a cell to the value beyond it
    int64 strides[2]; // from a cell to the next, in the two directions along the end
    int64 cells[2];   // own cells in these directions
    int64 is_fixed;   // 1 where the temperature is given, 0 where what passes is
    int64 values;     // place of the first value: K, relative to the reference, or what the flux makes over a cell
    int64 step;       // from the value of a cell to that of the next: 0 if all have the same
};
static_assert(sizeof(End) == 9 * sizeof(int64), "mirrored in Rust");

// Writes the two values beyond the cell of this thread; a row of blocks does one end. Reads the own cell beside it only.
INLINE void beyond_end(const End* ends, const Real* values, Real* theta) {
    const End end = ends[blockIdx.y];
    const int64 n = threadIdx.x + static_cast<int64>(blockDim.x) * blockIdx.x;
    if (n >= end.cells[0] * end.cells[1]) return;
    Real* const cell = theta + end.first + n % end.cells[0] * end.strides[0] +
                       n / end.cells[0] * end.strides[1];
    const Real two = Real(2), inside = *cell, value = values[end.values + n * end.step];
    const Real beyond = end.is_fixed != 0 ? two * value - inside : inside + value;
    cell[end.outward] = beyond;
    cell[2 * end.outward] = end.is_fixed != 0 ? two * beyond - inside : beyond;
}
