// Coefficients of small levels from those of the first of them, and the inverse sums of all, in one
// launch of one block: what coarsen_level.cu and invert_level.cu do level by level.
//
// levels: as many as `count`, one after the other. c, inverse: arrays of all these levels.
#include "linear/level.cuh"

KERNEL FULL_BLOCK coarsen_small_levels(const int count, const Level* levels, Real* c,
                                       Real* inverse) {
    for (int n = 0; n < count; ++n) {
        const Layout fine = levels[n].layout;
        const Real* const from = coefficients_of(fine, c);
        for (int k = threadIdx.z; k < fine.cells[2]; k += blockDim.z) {
            for (int j = threadIdx.y; j < fine.cells[1]; j += blockDim.y) {
                for (int i = threadIdx.x; i < fine.cells[0]; i += blockDim.x) {
                    const int64 here = place_of(fine, {i, j, k});
                    inverse[fine.first + here] = inverse_at(fine, from, here);
                }
            }
        }
        if (n + 1 == count) break;
        const Layout coarse = levels[n + 1].layout;
        const Transfer& step = levels[n].next;
        Real* const to = c + DIRECTIONS * coarse.first;
        for (int k = threadIdx.z; k < coarse.cells[2]; k += blockDim.z) {
            for (int j = threadIdx.y; j < coarse.cells[1]; j += blockDim.y) {
                for (int i = threadIdx.x; i < coarse.cells[0]; i += blockDim.x) {
                    coarsen_cell(fine, coarse, step, from, to, {i, j, k});
                }
            }
        }
        __syncthreads();
    }
}
