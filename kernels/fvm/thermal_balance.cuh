// The equation of a scalar in a cell; eqs. (H5) and (H12) of docs/src/theory/heat.md. Twin of `add_direction` in
// crates/fvm/src/cpu/transported.rs; for assemble_temperature.cu and assemble_walled.cu.
#pragma once
#include "fvm/field.cuh"
#include "fvm/heat.cuh"
#include "linear/stencil.cuh"

// Coefficients, diagonal and residual of a cell.
struct ThermalBalance {
    Real a[SIDES];
    Real diagonal, residual;
};

// The faces of a cell across one direction; all pointers are to the cell.
template <int SCHEME>
INLINE void add_heat(ThermalBalance& balance, const Heat& heat, const unsigned char* kinds,
                     const Real* face_velocity, const Real* theta, int64 stride, int d) {
    const Real diffusion = heat.diffusion[d], conduction = heat.conduction[d], inverse_h = heat.inverse_h[d];
    const Real low2 = theta[-2 * stride], low = theta[-stride], here = theta[0];
    const Real high = theta[stride], high2 = theta[2 * stride];
    const Real u_low = face_velocity[0], u_high = face_velocity[stride];
    const Real a_low = thermal_coefficient(kind_of(kinds[0], d), diffusion, heat.fixed[d][0], u_low * inverse_h);
    const Real a_high =
        thermal_coefficient(kind_of(kinds[stride], d), diffusion, heat.fixed[d][1], -u_high * inverse_h);
    balance.a[2 * d] = a_low;
    balance.a[2 * d + 1] = a_high;
    balance.diagonal += a_low + a_high;
    const Real enters = heat_flux<SCHEME>(u_low, low2, low, here, high, conduction);
    const Real leaves = heat_flux<SCHEME>(u_high, low, here, high, high2, conduction);
    // What the pressure correction leaves of the divergence does not heat.
    balance.residual += inverse_h * ((enters - leaves) + here * (u_high - u_low));
}
