// The largest magnitude of the values of the threads below `end`, which alone call block_max.
#include "device.cuh"

KERNEL block_max_of_some(const uint32 end, const Real* values, Bits* largest) {
    const uint32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < end) block_max(largest, bits_of(values[i]));
}
