// What conducts and carries heat; eqs. (H5), (H12) of docs/src/theory/heat.md. Twin of crates/fvm/src/scalar.rs.
#pragma once
#include "device.cuh"

// Numbers of a flow with heat; mirrored in crates/fvm/src/gpu/numbers.rs.
struct Heat {
    Real diffusion[3];   // alpha / h2 in 1/s
    Real conduction[3];  // alpha / h in m/s
    Real inverse_h[3];   // 1 / h in 1/m
    Real fixed[3][2];    // one where the end of a direction has a temperature, else zero
    Real over_alpha;     // 1 / alpha_T of a steady flow
    int64 scheme;        // of convection, see stencil.cuh: CENTRAL or VAN_LEER
};
static_assert(sizeof(Heat) == 16 * sizeof(Real) + 8, "mirrored in Rust");
