// Half-sweeps on a level of multigrid and the right-hand side of the next coarser one, by blocks that each take a region: the
// same bits as relax_level.cu and restrict_level.cu give one after the other. No equation; for plane levels that are not cut,
// with an even number of cells around.
//
// Arrays as in restrict_level.cu. x: read with one halo cell unless from_zero says that it is zero, then in its halo alone.
// half_sweeps: the first is red, the last has the weight step.omega. relaxed_x: each block writes the own cells whose coarse
// cells are its own, and b_coarse in these. Shared memory: two numbers for each cell of a region.
#include "linear/region.cuh"

KERNEL HALF_BLOCK descend_level(const Layout fine, const Layout coarse, const Transfer step, const int half_sweeps,
                                const int from_zero, const Real* c, const Real* inverse, const Real* b, const Real* x,
                                Real* relaxed_x, Real* b_coarse) {
    if (DIRECTIONS == 3) return;
    SHARED(Real, shared);
    Real* const residuals = shared + REGION_CELLS;
    // Residuals need neighbours; the first half-sweep needs none if these are zero.
    const int halo = half_sweeps + (from_zero ? 0 : 1), inner = REGION - 2 * halo;
    const int across[2] = {inner / step.factor[0], inner / step.factor[1]};
    const Indices first = {static_cast<int>(blockIdx.x) * across[0], static_cast<int>(blockIdx.y) * across[1], 0};
    const int begin_i = first_child(step, 0, first.i) - halo, begin_j = first_child(step, 1, first.j) - halo;
    RegionCell cells[2];
    RegionEquation equations[2];
#pragma unroll
    for (int colour = 0; colour < 2; ++colour) {
        cells[colour] = region_cell(fine, begin_i, begin_j, halo, colour);
        const RegionCell& cell = cells[colour];
        equations[colour] = region_equation(fine, cell, c, inverse, b);
        const bool is_read = cell.is_ghost || (cell.is_own && !from_zero);
        shared[cell.place] = is_read ? x[fine.first + cell.here] : Real(0);
    }
    for (int half = 0; half < half_sweeps; half += 2) {
        __syncthreads();
        relax_in_region(cells[0], equations[0], Real(1), half == 0 && from_zero, shared);
        __syncthreads();
        relax_in_region(cells[1], equations[1], half + 2 == half_sweeps ? step.omega : Real(1), false, shared);
    }
    __syncthreads();
#pragma unroll
    for (int colour = 0; colour < 2; ++colour) {
        const RegionCell& cell = cells[colour];
        const RegionEquation& equation = equations[colour];
        if (cell.is_own && cell.is_inner) {
            Real beside[SIDES];
            take_beside_in_region(shared, cell, beside);
            residuals[cell.place] = residual_of(equation.b, sum_of(equation.sides, beside),
                                                diagonal_of(equation.sides), shared[cell.place]);
        }
        if (cell.is_kept) relaxed_x[fine.first + cell.here] = shared[cell.place];
    }
    __syncthreads();
    const int thread = threadIdx.x + PAIRS * threadIdx.y;
    const Indices at = {first.i + thread % across[0], first.j + thread / across[0], 0};
    if (thread >= across[0] * across[1] || !is_own(coarse, at)) return;
    b_coarse[coarse.first + place_of(coarse, at)] = sum_of_children(step, at, -1, [&](const Indices& child) {
        return residuals[place_in_region(child.i - begin_i, child.j - begin_j)];
    });
}
