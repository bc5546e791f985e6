// Coefficients of small levels from those of the first of them, and the inverse sums of all, in one
// launch of one block: what coarsen_level.cu and invert_level.cu do level by level.
//
// levels: as many as `count`, one after the other. c, inverse: arrays of all these levels. Shared memory: the levels, and with
// keeps_coefficients the numbers of c.
#include "linear/kept_levels.cuh"

KERNEL FULL_BLOCK coarsen_small_levels(const int count, const int keeps_coefficients, const Level* levels,
                                       Real* c, Real* inverse) {
    SHARED(Real, shared);
    const Level* const known = keep_levels(levels, count, shared);
    const Layout last = known[count - 1].layout;
    const int given = DIRECTIONS * static_cast<int>(length_of(known[0].layout));
    const int all = DIRECTIONS * static_cast<int>(last.first + length_of(last));
    const int threads = threads_of_block(), thread = thread_of_block();
    Real* const kept = keeps_coefficients ? beyond_levels(shared, count) : c;
    if (keeps_coefficients) {
        for (int n = thread; n < all; n += threads) kept[n] = n < given ? c[n] : Real(0);
        __syncthreads();
    }
    for (int n = 0; n + 1 < count; ++n) {
        const Layout fine = known[n].layout;
        const Real* const from = coefficients_of(fine, kept);
        const Layout coarse = known[n + 1].layout;
        const Transfer& step = known[n].next;
        Real* const to = kept + DIRECTIONS * coarse.first;
        for (int k = threadIdx.z; k < coarse.cells[2]; k += blockDim.z) {
            for (int j = threadIdx.y; j < coarse.cells[1]; j += blockDim.y) {
                for (int i = threadIdx.x; i < coarse.cells[0]; i += blockDim.x) {
                    coarsen_cell(fine, coarse, step, from, to, {i, j, k});
                }
            }
        }
        __syncthreads();
    }
    for (int n = 0; n < count; ++n) {
        const Layout& level = known[n].layout;
        const Real* const from = coefficients_of(level, kept);
        for (int k = threadIdx.z; k < level.cells[2]; k += blockDim.z) {
            for (int j = threadIdx.y; j < level.cells[1]; j += blockDim.y) {
                for (int i = threadIdx.x; i < level.cells[0]; i += blockDim.x) {
                    const int64 here = place_of(level, {i, j, k});
                    inverse[level.first + here] = inverse_at(level, from, here);
                }
            }
        }
    }
    if (!keeps_coefficients) return;
    for (int n = given + thread; n < all; n += threads) c[n] = kept[n];
}
