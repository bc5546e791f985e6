#include "device.cuh"

KERNEL scale(const int n, const Real factor, const Real* from, Real* to) {
    const int i = threadIdx.x + blockDim.x * blockIdx.x;
    if (i < n) to[i] = factor * from[i];
}
