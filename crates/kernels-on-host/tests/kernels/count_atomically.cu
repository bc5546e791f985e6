// All threads of all blocks on the same words: largest, sum and last of their numbers; `tickets[t]`
// is set by the thread that drew ticket t.
#include "device.cuh"

KERNEL count_atomically(int* small, int64* large, uint32* ticket, uint64* last, int* tickets) {
    const int mine = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(small, mine - 5);
    atomicAdd(small + 1, 0x7fffffff);
    atomicMax(large, mine - (1LL << 40));
    atomicAdd(large + 1, static_cast<int64>(mine) << 32);
    tickets[atomicAdd(ticket, 1u)] += 1;
    atomicMax(last, static_cast<uint64>(mine));
    atomicExch(last + 1, static_cast<uint64>(mine));
}
