// Corrections by the pressure; eqs. (V12) and (V13) of docs/src/theory/fvm.md. Twin of
// crates/fvm/src/cpu/correct.rs.
//
// Arrays as in assemble.cu. x in m2/s2: the pressure correction, read with one halo cell, without
// edges; coefficients: those of interpolate.cu. Each thread corrects u in m/s and p in m2/s2 of its own
// cell, and through in m/s on the cell's low faces and on the high ones of the last cells.
#include "fvm/field.cuh"

KERNEL correct(const Layout layout, const Fluid fluid, const Factors* factors,
               const unsigned char* kinds, const Real* diagonal, const Real* coefficients,
               const Real* x, Real* face_velocity, Real* u, Real* p) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at)) return;
    const Factors factor = *factors;
    const int64 here = place_of(layout, at), length = length_of(layout);
    const bool flows = !(kinds[here] & SOLID);
    const Real pressure_diagonal_here = pressure_diagonal(factor.share, factor.storage, diagonal[here]);
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        const int64 stride = stride_of(layout, d), shift = d * length;
        const int64 last = along(at, d) + 1 == layout.cells[d] ? here + stride : here;
        const Real spacing = Real(1) / fluid.inverse_h[d];
        for (int64 face = here; face <= last; face += stride) {
            // Coefficients are zero where the pressure does not move the flow.
            const Real rise = x[face] - x[face - stride];
            face_velocity[shift + face] -= coefficients[shift + face] * spacing * rise;
        }
        if (flows) {
            const Real outlet_pressure[2] = {Real(0), Real(0)};
            const Real slope =
                gradient_at(kinds, x, here, stride, d, outlet_pressure, fluid.inverse_h[d]);
            u[shift + here] -= slope / pressure_diagonal_here;
        }
    }
    p[here] += factor.relax_pressure * x[here];
}
