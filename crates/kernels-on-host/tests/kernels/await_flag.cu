// Thread 0 of each block awaits a stamp on the one flag, then notes that the block went on.
#include "device.cuh"

KERNEL await_flag(const uint32 stamp, const uint32* flag, int* went_on) {
    if (threadIdx.x == 0) await(flag, stamp);
    __syncthreads();
    if (threadIdx.x == 1) went_on[blockIdx.x] = 1;
}
