// Copies an array: the fastest that a kernel can move memory, to hold other kernels against.
//
// from is read and to written, both of `n` values, by threads that each take every so many.
#include "device.cuh"

KERNEL copy(const int64 n, const Real* from, Real* to) {
    const int64 threads = static_cast<int64>(gridDim.x) * blockDim.x;
    for (int64 at = static_cast<int64>(blockIdx.x) * blockDim.x + threadIdx.x; at < n; at += threads) {
        to[at] = from[at];
    }
}
