// What a fluid and a grid do, in the units of the equations; mirrored in crates/fvm/src/gpu/numbers.rs.
#pragma once
#include "device.cuh"

// Numbers of a case that do not change: twin of crates/fvm/src/fluid.rs.
struct Fluid {
    Real diffusion[3];   // nu / h2 in 1/s
    Real inverse_h[3];   // 1 / h in 1/m
    Real lift[3];        // acceleration in m/s2 by each kelvin, zero without heat
    Real outlet_pressure[3][2];  // kinematic pressure at outlets in m2/s2, by direction and side
    Real blend;          // share of the scheme above upwind
    Real rhie_chow;      // one, or zero without Rhie and Chow's interpolation
    Real units;          // units of summed residuals in s2/m
    int64 scheme;        // of convection, see stencil.cuh
};
static_assert(sizeof(Fluid) == 18 * sizeof(Real) + 8, "mirrored in Rust");

// Factors of the relaxation and of the time step, which change from step to step; twin of
// crates/fvm/src/settings.rs.
struct Factors {
    Real over_alpha;      // 1 / alpha_u
    Real one_minus_alpha;            // 1 - alpha_u
    Real share;           // of the relaxed diagonal that links velocity to pressure; eq. (V10)
    Real storage;         // what the time step adds to that, in 1/s
    Real relax_pressure;  // alpha_p
    // Of the new, the last and the one before last velocity over the time step, in 1/s; eq. (V3). Zero
    // in steady flows.
    Real latest, last, before;
    Real force[3];        // in m/s2
};
static_assert(sizeof(Factors) == 11 * sizeof(Real), "mirrored in Rust");

// Whether all past velocities count as zero, as in a steady flow, and need not be read.
INLINE bool is_steady(const Factors& factors) { return factors.last == Real(0); }

// Whether a finer grid asks for something in the place of the last step, in a steady flow.
INLINE bool asks(const Factors& factors) { return factors.latest == Real(0) && factors.last != Real(0); }
