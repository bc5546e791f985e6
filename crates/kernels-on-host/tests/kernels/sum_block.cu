// The sum of each block's values, by halves in shared memory. The block's number of threads is a
// power of two.
#include "device.cuh"

KERNEL sum_block(const Real* values, Real* sums) {
    SHARED(Real, part);
    part[threadIdx.x] = values[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
