// Coefficients of small levels from those of the first of them, and the inverse sums of all, in one
// launch of one block: what coarsen_level.cu and invert_level.cu do level by level.
//
// levels: as many as `count`, one after the other. c, inverse: arrays of all these levels. Shared memory: the levels, what the
// threads know of each, and with keeps_coefficients the numbers of c.
#include "linear/kept_levels.cuh"

KERNEL FULL_BLOCK coarsen_small_levels(const int count, const int keeps_coefficients, const Level* levels,
                                       Real* c, Real* inverse) {
    SHARED(Real, of_block);
    const Level* const all = keep_levels(levels, count, of_block);
    Kept* const table = keep_table(all, count, of_block);
    __syncthreads();
    if (!keeps_coefficients) return coarsen_all(all, table, count, c, inverse);
    Real* const kept = beyond_table(table, count);
    take_coefficients(all, count, c, kept);
    coarsen_all(all, table, count, kept, inverse);
    give_coefficients(all, count, kept, c);
}
