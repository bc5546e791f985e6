// Small levels that one block works on, with what it knows of them in shared memory.
#pragma once
#include "linear/level.cuh"

INLINE int threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
INLINE int thread_of_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

// Copies levels to shared memory; ends with a barrier.
INLINE const Level* keep_levels(const Level* given, int count, Real* shared) {
    const int words = count * static_cast<int>(sizeof(Level) / sizeof(int64));
    for (int n = thread_of_block(); n < words; n += threads_of_block()) {
        reinterpret_cast<int64*>(shared)[n] = reinterpret_cast<const int64*>(given)[n];
    }
    __syncthreads();
    return reinterpret_cast<const Level*>(shared);
}

// What lies behind them there.
INLINE Real* beyond_levels(Real* shared, int count) { return shared + count * (sizeof(Level) / sizeof(Real)); }
static_assert(sizeof(Level) % sizeof(int64) == 0 && sizeof(Level) % sizeof(Real) == 0, "copied in words");

// Numbers of the coefficients of the first level, and of all.
INLINE int coefficients_given(const Level* levels) { return DIRECTIONS * static_cast<int>(length_of(levels[0].layout)); }
INLINE int coefficients_in_all(const Level* levels, int count) {
    const Layout& last = levels[count - 1].layout;
    return DIRECTIONS * static_cast<int>(last.first + length_of(last));
}

// Copies the coefficients of the first level to shared memory; those of the others are zero. Ends with a barrier.
INLINE void take_coefficients(const Level* levels, int count, const Real* c, Real* kept) {
    const int given = coefficients_given(levels), all = coefficients_in_all(levels, count);
    for (int n = thread_of_block(); n < all; n += threads_of_block()) kept[n] = n < given ? c[n] : Real(0);
    __syncthreads();
}

// Copies those of the others back.
INLINE void give_coefficients(const Level* levels, int count, const Real* kept, Real* c) {
    const int given = coefficients_given(levels), all = coefficients_in_all(levels, count);
    for (int n = given + thread_of_block(); n < all; n += threads_of_block()) c[n] = kept[n];
}

// Coefficients of all levels from those of the first, and one over their sums. Ends with a barrier.
INLINE void coarsen_all(const Level* levels, int count, Real* c, Real* inverse) {
    for (int n = 0; n + 1 < count; ++n) {
        const Layout& fine = levels[n].layout;
        const Layout& coarse = levels[n + 1].layout;
        for (int k = threadIdx.z; k < coarse.cells[2]; k += blockDim.z) {
            for (int j = threadIdx.y; j < coarse.cells[1]; j += blockDim.y) {
                for (int i = threadIdx.x; i < coarse.cells[0]; i += blockDim.x) {
                    coarsen_cell(fine, coarse, levels[n].next, coefficients_of(fine, c),
                                 c + DIRECTIONS * coarse.first, {i, j, k});
                }
            }
        }
        __syncthreads();
    }
    for (int n = 0; n < count; ++n) {
        const Layout& level = levels[n].layout;
        const Real* const of_level = coefficients_of(level, c);
        for (int k = threadIdx.z; k < level.cells[2]; k += blockDim.z) {
            for (int j = threadIdx.y; j < level.cells[1]; j += blockDim.y) {
                for (int i = threadIdx.x; i < level.cells[0]; i += blockDim.x) {
                    const int64 here = place_of(level, {i, j, k});
                    inverse[level.first + here] = inverse_at(level, of_level, here);
                }
            }
        }
    }
    __syncthreads();
}
