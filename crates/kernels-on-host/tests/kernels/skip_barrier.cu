// The threads from `first` on end without coming to the barrier.
#include "device.cuh"

KERNEL skip_barrier(const uint32 first) {
    if (threadIdx.x >= first) return;
    __syncthreads();
}
