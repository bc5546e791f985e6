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
