// Stored numbers to calculate with.
#include "device.cuh"

KERNEL widen_numbers(const int64 n, const Stored* stored, Real* numbers) {
    const int64 i = static_cast<int64>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) numbers[i] = widened(stored[i]);
}
