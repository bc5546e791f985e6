// Completes the momentum equations of cells beside bodies, which assemble.cu made for walls at rest on the faces of
// cells; eqs. (V5), (V8), (V17) and (V18) of docs/src/theory/fvm.md. Twin of `complete_beside_bodies` in
// crates/fvm/src/cpu/body_faces.rs.
//
// faces, cells: see body_face.cuh; `count` cells, each of one thread. u, face_velocity, a, diagonal, inverse and b as in
// assemble.cu; each thread writes those of its own cell. u is read with two halo cells. reductions: MOMENTUM is raised,
// the sums are added. Shared memory: three numbers.
#include "fvm/body_face.cuh"
#include "fvm/reductions.cuh"
#include "linear/stencil.cuh"

KERNEL complete_beside_bodies(const Layout layout, const Fluid fluid, const Factors* factors, const int count,
                              const BodyCell* cells, const BodyFace* faces, const Real* u,
                              const Real* face_velocity, Real* a, Real* diagonal, Real* inverse, Real* b,
                              int64* reductions) {
    const Factors factor = *factors;
    const int64 length = length_of(layout);
    const Surrounding from = {faces, u, face_velocity, length};
    const int64 entry = threadIdx.x + static_cast<int64>(blockDim.x) * blockIdx.x;
    Bits most = 0;
    uint64 low = 0, high = 0;
    if (entry < count) {
        const BodyCell cell = cells[entry];
        const int64 here = cell.cell, in_halves = place_in_halves(layout, here);
        Real* const coefficients = a + in_halves;
        Changes changes;
        switch (fluid.scheme) {
            case CENTRAL: changes = changes_of<CENTRAL>(layout, from, fluid, cell, coefficients); break;
            case QUICK: changes = changes_of<QUICK>(layout, from, fluid, cell, coefficients); break;
            case VAN_LEER: changes = changes_of<VAN_LEER>(layout, from, fluid, cell, coefficients); break;
            default: changes = changes_of<UPWIND>(layout, from, fluid, cell, coefficients);
        }
        for (int d = 0; d < DIRECTIONS; ++d) {
            for (int side = 0; side < 2; ++side) {
                // The wall's part is in the source.
                if (cell.near[d][side] >= 0) coefficients[(2 * d + side) * length] = Real(0);
            }
        }
        const Real whole = diagonal[here] + changes.diagonal * factor.over_alpha;
        diagonal[here] = whole;
        inverse[here] = Real(1) / whole;
#pragma unroll
        for (int c = 0; c < DIRECTIONS; ++c) {
            const Real* const mine = u + c * length;
            const Real relaxed =
                (changes.diagonal * factor.over_alpha - changes.diagonal) * mine[here];
            Real& known = b[c * length + in_halves];
            const Real completed = known + (relaxed + changes.source[c]);
            known = completed;
            Real sum = Real(0);
#pragma unroll
            for (int d = 0; d < DIRECTIONS; ++d) {
                const int64 stride = stride_of(layout, d);
                sum += coefficients[2 * d * length] * mine[here - stride] +
                       coefficients[(2 * d + 1) * length] * mine[here + stride];
            }
            const Real residual = residual_of(completed, sum, whole, mine[here]);
            most = larger(most, bits_of(residual));
            const uint64 units = in_units(residual, fluid.units);
            low += units & 0xffffffffu;
            high += units >> 32;
        }
    }
    note_residuals(reductions, most, low, high);
}
