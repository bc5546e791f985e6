#include "device.cuh"

KERNEL everyone(uint32* arrived, uint32* seen) {
    if (threadIdx.x > 0) return;
    atomicAdd(arrived, 1u);
    await(arrived, gridDim.x);
    seen[blockIdx.x] = fresh(arrived);
}
