// Numbers of a time step. They lie in the device's memory, so that launches which were captured once
// stay right for the next steps.
#pragma once
#include "device.cuh"

// Mirrored in crates/fdm/src/gpu/numbers.rs.
struct Interval {
    Real dt;          // s
    Real gamma;       // share of the donor cell
    Real weights[2];  // of the rates of change now and before
    Real inverse[3];  // 1 / (h dt) in 1/(m s)
    Real dt_h[3];     // dt / h in s/m
    Real force[3];    // at its beginning in m/s2
    Real lift[3];     // half of what buoyancy adds to a velocity by each kelvin, in m/(s K)
};
static_assert(sizeof(Interval) == 16 * sizeof(Real), "mirrored in Rust");
