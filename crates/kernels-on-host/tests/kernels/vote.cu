// Each thread's view of how many threads of its block have an odd value, whether any and whether all.
#include "device.cuh"

KERNEL vote(const int* values, int* counts, int* any, int* all) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int odd = values[i] & 1;
    counts[i] = __syncthreads_count(odd);
    any[i] = __syncthreads_or(odd);
    all[i] = __syncthreads_and(odd);
}
