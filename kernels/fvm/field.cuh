// The flow around a cell: what several kernels read.
#pragma once
#include "fvm/stencil.cuh"
#include "fvm/fluid.cuh"
#include "linear/layout.cuh"

// Pressure gradient in a cell in direction d, whose neighbours are `stride` away; eq. (V6). `outlet_pressure`:
// pressures that outlets on both sides prescribe.
INLINE Real gradient_at(const unsigned char* kinds, const Real* p, int64 here, int64 stride, int d,
                        const Real (&outlet_pressure)[2], Real inverse_h) {
    const Three three = {p[here - stride],
                         p[here],
                         p[here + stride],
                         kind_of(kinds[here], d),
                         kind_of(kinds[here + stride], d),
                         outlet_pressure[0],
                         outlet_pressure[1]};
    return gradient(three, inverse_h);
}

// The values on both sides of the low face of a cell.
INLINE Pair pair_at(const Real* values, int64 face, int64 stride) {
    return {values[face - stride], values[face]};
}

// How far the velocity through an open low face is above the mean of the cells beside it.
INLINE Real above_mean(const Real* face_velocity, const Real* u, int64 face, int64 stride) {
    return face_velocity[face] - mean_of(pair_at(u, face, stride));
}
