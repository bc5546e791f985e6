// The correction of the next coarser level and half-sweeps after it, by blocks that each take a region: the same bits as
// prolong_level.cu and relax_level.cu give one after the other. No equation; for levels as in descend_level.cu.
//
// Arrays as in prolong_level.cu. half_sweeps: the first is black and has the weight step.omega. relaxed_x: the unknown of own
// cells, as descend_level.cu leaves it; x: read in its halo alone, written in own cells and their halo cells, see `put`. Shared
// memory: one number for each cell of a region.
#include "linear/region.cuh"

KERNEL HALF_BLOCK ascend_level(const Layout fine, const Layout coarse, const Transfer step, const int half_sweeps,
                               const Real* c, const Real* inverse, const Real* b, const Real* relaxed_x,
                               const Real* x_coarse, Real* x) {
    if (DIRECTIONS == 3) return;
    SHARED(Real, shared);
    const int kept = REGION - 2 * half_sweeps;
    const int begin_i = static_cast<int>(blockIdx.x) * kept - half_sweeps;
    const int begin_j = static_cast<int>(blockIdx.y) * kept - half_sweeps;
    RegionCell cells[2];
    RegionEquation equations[2];
#pragma unroll
    for (int colour = 0; colour < 2; ++colour) {
        cells[colour] = region_cell(fine, begin_i, begin_j, half_sweeps, colour);
        const RegionCell& cell = cells[colour];
        equations[colour] = region_equation(fine, cell, c, inverse, b);
        Real value = cell.is_ghost ? x[fine.first + cell.here] : Real(0);
        if (cell.is_own) {
            value = relaxed_x[fine.first + cell.here] +
                    x_coarse[coarse.first + place_of(coarse, parent_of(step, cell.at))];
        }
        shared[cell.place] = value;
    }
    for (int half = 0; half < half_sweeps; half += 2) {
        __syncthreads();
        relax_in_region(cells[1], equations[1], half == 0 ? step.omega : Real(1), false, shared);
        __syncthreads();
        relax_in_region(cells[0], equations[0], Real(1), false, shared);
    }
#pragma unroll
    for (int colour = 0; colour < 2; ++colour) {
        const RegionCell& cell = cells[colour];
        if (cell.is_kept) put(fine, cell.at, x + fine.first, cell.here, shared[cell.place]);
    }
}
