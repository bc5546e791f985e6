// The reductions of launches, for the processor to read.
#pragma once
#include "device.cuh"

// Slots of `reductions`: largest magnitudes as bits. Mirrored in crates/fdm/src/gpu/numbers.rs.
enum Slot { SPEED = 0, CHANGE = 3, RESIDUAL = 4, RIGHT_HAND_SIDE = 5, PRESSURE_CHANGE = 6, SLOTS = 7 };

// Raises the slots from `first` on to the largest of all threads' values; every thread of the block
// calls it. First within the block: all blocks meet at the slots and stand in line there, so there
// should be few of them, and none with nothing to say. Shared memory: SLOTS numbers.
template <int COUNT> INLINE void note(Real* reductions, int first, const Bits (&most)[COUNT]) {
    SHARED(Bits, shared);
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (thread < COUNT) shared[thread] = 0;
    __syncthreads();
    for (int n = 0; n < COUNT; ++n) block_max(shared + n, most[n]);
    __syncthreads();
    if (thread >= COUNT) return;
    Bits* const slot = reinterpret_cast<Bits*>(reductions) + first + thread;
    if (shared[thread] > fresh(slot)) atomicMax(slot, shared[thread]);
}
