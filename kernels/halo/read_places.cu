// Reads single values for the host; no equation. Thread n reads the array at places[n], in any layout and unit, and
// writes values[n].
#include "device.cuh"

KERNEL read_places(const int64 count, const int64* places, const Stored* array, Stored* values) {
    const int64 n = threadIdx.x + static_cast<int64>(blockDim.x) * blockIdx.x;
    if (n >= count) return;
    values[n] = array[places[n]];
}
