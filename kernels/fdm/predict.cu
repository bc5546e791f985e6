// The prediction F, G, H: velocity advanced by convection, diffusion and force; eqs. (F1) to (F4) of
// docs/src/theory/fdm.md.
//
// u, v, w in m/s on low faces, padded rows, are read with one halo cell on all sides, edges
// included. f, g, h: the same layout; each thread writes the faces of one own cell, except those
// with prescribed values. In plane flows w and h are not touched.
#include "fdm/layout.cuh"
#include "fdm/interval.cuh"
#include "fdm/stencil.cuh"

// What a fluid does; mirrored in crates/fdm/src/gpu/numbers.rs.
struct Fluid {
    Real diffusion[3];  // nu / h2 in 1/s
    Real inverse_h[3];  // 1 / h in 1/m
    Real force[3];      // m/s2
};
static_assert(sizeof(Fluid) == 9 * sizeof(Real), "mirrored in Rust");

// Rate of change of component a in m/s2; the velocities point at the cell.
template <bool CENTRAL>
INLINE Real rate_of_change(const Layout& layout, const Fluid& fluid, Real gamma, int a,
                           const Real* const velocity[3]) {
    const Real half = Real(0.5);
    const Real* const q = velocity[a];
    const int across = stride_of(layout, a);
    Real rate = fluid.force[a];
    for (int d = 0; d < DIRECTIONS; ++d) {
        const Transport k = {fluid.diffusion[d], fluid.inverse_h[d], gamma, half};
        const Real* const v = velocity[d];
        const int along = stride_of(layout, d);
        const Real low = q[-along], here = q[0], high = q[along];
        const Real v_low = half * (v[-across] + v[0]);
        const Real v_high = half * (v[along - across] + v[along]);
        rate += CENTRAL ? transport_central(low, here, high, v_low, v_high, k)
                        : transport(low, here, high, v_low, v_high, k);
    }
    return rate;
}

KERNEL predict(const Layout layout, const Fluid fluid, const Interval* interval,
               const unsigned char* faces, const Real* u, const Real* v, const Real* w, Real* f,
               Real* g, Real* h) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= layout.cells[0] || j >= layout.cells[1]) return;
    const int64 at = line_of(layout, j, blockIdx.z) * layout.row + i + 1;
    const Real* const velocity[3] = {u + at, v + at, w + at};
    Real* const prediction[3] = {f + at, g + at, h + at};
    const Real dt = interval->dt, gamma = interval->gamma;
    const unsigned char flags = faces[at];
    for (int a = 0; a < DIRECTIONS; ++a) {
        const Real rate = gamma == Real(0)
                              ? rate_of_change<true>(layout, fluid, gamma, a, velocity)
                              : rate_of_change<false>(layout, fluid, gamma, a, velocity);
        const Real advanced = is_open(flags, a) * (*velocity[a] + dt * rate);
        if (is_free(flags, a)) *prediction[a] = advanced;
    }
}
