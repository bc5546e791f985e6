// The equation of the temperature's correction beside solid boxes and bodies, and how far from solved the temperature's
// is; eqs. (H5), (H12), (H23) of docs/src/theory/heat.md. Twin of `balance` in crates/fvm/src/cpu/transported.rs.
//
// Arrays as in assemble_temperature.cu, lists as in thermal_walls.cuh with the places of cells, of which none comes twice
// (faces are the same). Thread n does cell n, and writes a, inverse and residual of it, in halves. Shared memory: one number.
#include "fvm/reductions.cuh"
#include "fvm/thermal_balance.cuh"
#include "thermal_walls.cuh"

// The faces of a cell across one direction, with what is beside it; all pointers are to the cell.
template <int SCHEME>
INLINE void add_walled(ThermalBalance& balance, const Heat& heat, const unsigned char* kinds,
                       const Real* face_velocity, const Real* theta, int64 stride, int d, const WalledSide& below,
                       const WalledSide& above) {
    const Real diffusion = heat.diffusion[d], conduction = heat.conduction[d], inverse_h = heat.inverse_h[d];
    const Real here = theta[0], next_low = theta[-stride];
    Real low2 = theta[-2 * stride], low = next_low, high = theta[stride], high2 = theta[2 * stride];
    beside(below, here, theta[stride], low, low2);
    beside(above, here, next_low, high, high2);
    const bool is_below = below.place == WALL_HERE, is_above = above.place == WALL_HERE;
    // What walls that are exact let pass has the value of the cell, and is left out of its divergence as well.
    const Real u_low = is_below ? Real(0) : face_velocity[0];
    const Real u_high = is_above ? Real(0) : face_velocity[stride];
    Real a_low = is_below ? Real(0)
                          : thermal_coefficient(kind_of(kinds[0], d), diffusion, heat.fixed[d][0], u_low * inverse_h);
    Real a_high = is_above ? Real(0)
                           : thermal_coefficient(kind_of(kinds[stride], d), diffusion, heat.fixed[d][1],
                                                 -u_high * inverse_h);
    balance.diagonal += a_low + a_high;
    if (is_below) {
        balance.diagonal -= diffusion * below.of_here;
        a_high += diffusion * below.of_behind;
    }
    if (is_above) {
        balance.diagonal -= diffusion * above.of_here;
        a_low += diffusion * above.of_behind;
    }
    balance.a[2 * d] = a_low;
    balance.a[2 * d + 1] = a_high;
    const Real enters = is_below ? -conduction * (here - low)
                                 : heat_flux<SCHEME>(u_low, low2, low, here, high, conduction);
    const Real leaves = is_above ? -conduction * (high - here)
                                 : heat_flux<SCHEME>(u_high, low, here, high, high2, conduction);
    balance.residual += inverse_h * ((enters - leaves) + here * (u_high - u_low));
}

KERNEL assemble_walled(const Layout layout, const Heat heat, const Factors* factors, const unsigned char* kinds,
                       const Real* face_velocity, const int has_source, const Real* source, const int count,
                       const int64* places, const int64* faces, const uint32* walls, const Real* numbers,
                       const Real* theta, const Real* theta_last, const Real* theta_before, Real* a, Real* inverse,
                       Real* residual, int64* reductions) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    const Factors factor = *factors;
    const int64 length = length_of(layout);
    const Real over_alpha = factor.latest > Real(0) ? Real(1) : heat.over_alpha;
    Bits most = 0;
    if (n < count) {
        const int64 here = places[n], in_halves = place_in_halves(layout, here);
        ThermalBalance balance;
        balance.diagonal = factor.latest;
        balance.residual =
            (factor.last * theta_last[here] - factor.before * theta_before[here]) - factor.latest * theta[here];
        if (has_source) balance.residual += source[here];
#pragma unroll
        for (int d = 0; d < DIRECTIONS; ++d) {
            const Real* const velocity = face_velocity + d * length + faces[n];
            const int64 stride = stride_of(layout, d);
            const WalledSide below = walled_side(walls, numbers, count, n, 2 * d);
            const WalledSide above = walled_side(walls, numbers, count, n, 2 * d + 1);
            if (heat.scheme == CENTRAL) {
                add_walled<CENTRAL>(balance, heat, kinds + here, velocity, theta + here, stride, d, below, above);
            } else {
                add_walled<VAN_LEER>(balance, heat, kinds + here, velocity, theta + here, stride, d, below, above);
            }
        }
#pragma unroll
        for (int side = 0; side < SIDES; ++side) a[side * length + in_halves] = balance.a[side];
        inverse[in_halves] = Real(1) / (balance.diagonal * over_alpha);
        residual[in_halves] = balance.residual;
        most = bits_of(balance.residual);
    }
    note_largest(reductions + HEAT, most);
}
