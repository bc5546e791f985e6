// What cells beside solid boxes and bodies take in of a scalar; eqs. (H5), (H23) of docs/src/theory/heat.md. Twin of
// `with_fluxes` in crates/fdm/src/cpu/transported.rs; for predict_walled.cu and correct_walled.cu.
#pragma once
#include "fdm/temperature.cuh"
#include "thermal_walls.cuh"

// The cells of a list: places in arrays of temperatures and of velocities, and the rest as in thermal_walls.cuh.
struct WalledCells {
    const int64* places;
    const int64* faces;
    const uint32* kinds;
    const Real* numbers;
    int count;
};

// What passes a face; a wall conducts alone, and what the flow carries through it has the value `here` of the cell.
INLINE Real walled_flux(bool is_wall, int central, Real v, Real low2, Real low, Real high, Real high2, Real here,
                        const Conduction& k) {
    if (is_wall) return v * here - k.diffusion * (high - low);
    return central != 0 ? scalar_flux_central(v, low2, low, high, high2, k)
                        : scalar_flux_van_leer(v, low2, low, high, high2, k);
}

// A value with what cell n of a list takes in of the temperature `from` during dt.
INLINE Real with_walled_fluxes(const Layout& layout, const Conductor& conductor, int central, Real dt,
                               const WalledCells& cells, int n, const Real* from, const Real* const velocity[3],
                               Real sum) {
    const Real* const at = from + cells.places[n];
    const int64 face = cells.faces[n];
    const Real here = at[0];
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        const Conduction k = {conductor.diffusion[d], conductor.inverse_h[d], Real(0.5)};
        const int64 s = thermal_stride_of(layout, d);
        const WalledSide below = walled_side(cells.kinds, cells.numbers, cells.count, n, 2 * d);
        const WalledSide above = walled_side(cells.kinds, cells.numbers, cells.count, n, 2 * d + 1);
        Real low = at[-s], low2 = at[-2 * s], high = at[s], high2 = at[2 * s];
        const Real opposite = high;
        beside(above, here, low, high, high2);
        beside(below, here, opposite, low, low2);
        const Real u_low = velocity[d][face], u_high = velocity[d][face + stride_of(layout, d)];
        const Real share = dt * k.inverse_h;
        const Real enters =
            walled_flux(below.place == WALL_HERE, central, u_low, low2, low, here, high, here, k);
        const Real leaves =
            walled_flux(above.place == WALL_HERE, central, u_high, low, here, high, high2, here, k);
        sum += share * (enters - leaves);
    }
    return sum;
}
