// Numbers as they are stored.
#include "device.cuh"

KERNEL narrow_numbers(const int64 n, const Real* numbers, Stored* stored) {
    const int64 i = static_cast<int64>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) stored[i] = narrowed_to<Stored>(numbers[i]);
}
