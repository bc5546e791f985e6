#include "device.cuh"

KERNEL sum_shared(const int n, const Real* from, Real* to) {
    SHARED(Real, values);
    for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = from[i];
    __syncthreads();
    if (threadIdx.x > 0) return;
    Real sum = 0;
    for (int i = 0; i < n; i++) sum += values[i];
    *to = sum;
}
