// Faces of a convective outlet; eqs. (V20) and (V21) of docs/src/theory/fvm.md.
#pragma once
#include "fvm/fluid.cuh"
#include "fvm/stencil.cuh"
#include "linear/layout.cuh"

// A face of a convective outlet, of an own cell; mirrored in crates/fvm/src/carried.rs.
struct CarriedFace {
    int64 face;   // place of the face
    int64 ghost;  // place of the cell beyond, where the velocity on the face is kept
    int64 inner;  // place of the cell before it
};
static_assert(sizeof(CarriedFace) == 3 * 8, "mirrored in Rust");
