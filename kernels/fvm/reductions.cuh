// The reductions of launches, for the processor to read.
#pragma once
#include "device.cuh"

// Slots of `reductions`: largest magnitudes as bits of a momentum equation's residual in m/s2 and of the
// divergence in 1/s; the low 32 bits and the higher bits of summed residuals in whole units; and the largest residual of
// the temperature's equation in K/s.
// Mirrored in crates/fvm/src/gpu/numbers.rs.
enum Slot { MOMENTUM = 0, MASS = 1, SUM_LOW = 2, SUM_HIGH = 3, HEAT = 4, SLOTS = 5 };

// What `note_largest` does, and adds to the sums; shared memory: three numbers.
INLINE void note_residuals(int64* reductions, Bits most, uint64 low, uint64 high) {
    SHARED(int64, shared);
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (thread < 3) shared[thread] = 0;
    __syncthreads();
    block_max(shared, most);
    add_up(shared + 1, static_cast<int64>(low));
    add_up(shared + 2, static_cast<int64>(high));
    __syncthreads();
    if (thread == 0 && shared[0] > fresh(reductions + MOMENTUM))
        atomicMax(reductions + MOMENTUM, shared[0]);
    if (thread == 1 || thread == 2) {
        uint64* const sum = reinterpret_cast<uint64*>(reductions + (thread == 1 ? SUM_LOW : SUM_HIGH));
        atomicAdd(sum, static_cast<uint64>(shared[thread]));
    }
}
