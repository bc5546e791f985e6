// Where temperatures lie, and what they take in during a step; eqs. (H5) to (H7) of docs/src/theory/heat.md. Twin of
// crates/fdm/src/cpu/transported.rs, for predict_temperature.cu, correct_temperature.cu and add_buoyancy.cu.
#pragma once
#include "fdm/interval.cuh"
#include "fdm/layout.cuh"
#include "fdm/stencil.cuh"

// What conducts heat; mirrored in crates/fdm/src/gpu/numbers.rs.
struct Conductor {
    Real diffusion[3];  // alpha / h in m/s
    Real inverse_h[3];  // 1 / h in 1/m
};
static_assert(sizeof(Conductor) == 6 * sizeof(Real), "mirrored in Rust");

// Layers of halo around temperatures, except in z of plane flows: van Leer's scheme looks two cells upstream. Mirrored
// in crates/fdm/src/scalar.rs.
constexpr int LAYERS = 2;

// Distance in memory of neighbouring temperatures in direction d.
INLINE int64 thermal_stride_of(const Layout& layout, int d) {
    const int64 row = layout.cells[0] + 2 * LAYERS;
    return d == 0 ? 1 : d == 1 ? row : row * (layout.cells[1] + 2 * LAYERS);
}

// Place of the temperature of the own cell (i, j, k).
INLINE int64 thermal_place(const Layout& layout, const Indices& at) {
    return at.i + LAYERS + thermal_stride_of(layout, 1) * (at.j + LAYERS) +
           thermal_stride_of(layout, 2) * (at.k + LAYERS * layout.halo);
}

// A value with what a cell of the temperature `from` points at takes in during dt; the velocities point at its low faces.
template <bool CENTRAL>
INLINE Real with_fluxes(const Layout& layout, const Conductor& conductor, Real dt, const Real* from,
                        const Real* const velocity[3], Real sum) {
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        const Conduction k = {conductor.diffusion[d], conductor.inverse_h[d], Real(0.5)};
        const int64 s = thermal_stride_of(layout, d);
        const Real low2 = from[-2 * s], low = from[-s], here = from[0];
        const Real high = from[s], high2 = from[2 * s];
        const Real u_low = velocity[d][0], u_high = velocity[d][stride_of(layout, d)];
        const Real share = dt * k.inverse_h;
        const Real enters = CENTRAL ? scalar_flux_central(u_low, low2, low, here, high, k)
                                    : scalar_flux_van_leer(u_low, low2, low, here, high, k);
        const Real leaves = CENTRAL ? scalar_flux_central(u_high, low, here, high, high2, k)
                                    : scalar_flux_van_leer(u_high, low, here, high, high2, k);
        sum += share * (enters - leaves);
    }
    return sum;
}

// The same by central differences or by van Leer's scheme.
INLINE Real warmed(const Layout& layout, const Conductor& conductor, int central, Real dt, const Real* from,
                   const Real* const velocity[3], Real sum) {
    return central != 0 ? with_fluxes<true>(layout, conductor, dt, from, velocity, sum)
                        : with_fluxes<false>(layout, conductor, dt, from, velocity, sum);
}
