// Each thread writes the order in which it came, and the variant.
#include "device.cuh"

KERNEL place(int* next, int* came, int* variant) {
    const dim3 all = gridDim, threads = blockDim;
    const int x = blockIdx.x * threads.x + threadIdx.x, y = blockIdx.y * threads.y + threadIdx.y;
    const int z = blockIdx.z * threads.z + threadIdx.z;
    came[x + all.x * threads.x * (y + all.y * threads.y * z)] = atomicAdd(next, 1);
    variant[0] = sizeof(Real);
    variant[1] = sizeof(Stored);
    variant[2] = DIRECTIONS;
}
