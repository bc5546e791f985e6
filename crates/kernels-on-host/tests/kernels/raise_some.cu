// The largest magnitude of the values of the threads below `end`, which alone call raise.
#include "device.cuh"

KERNEL raise_some(const uint32 end, const Real* values, Bits* largest) {
    const uint32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < end) raise(largest, bits_of(values[i]));
}
