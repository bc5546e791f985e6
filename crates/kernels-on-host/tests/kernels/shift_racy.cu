// Each thread takes its neighbour's value from shared memory. Without `guarded` a barrier is missing
// between writing and reading.
#include "device.cuh"

KERNEL shift_racy(const int guarded, const int* values, int* shifted) {
    SHARED(int, row);
    const int n = blockDim.x, i = threadIdx.x;
    row[i] = values[i];
    if (guarded) __syncthreads();
    shifted[i] = row[(i + n - 1) % n];
}
