// Scatters received messages into the halos; no equation. Thread x is a cell of the two sides, block
// y one of up to three arrays, in any layout and unit. Reads each slot of `message` once; writes the
// halo cells at `places`, the low side's first, each by one thread.
#include "halo/sides.cuh"

KERNEL unpack(const Sides sides, const Stored* message, Stored* first, Stored* second,
              Stored* third, const int64* places) {
    const int64 cell = threadIdx.x + static_cast<int64>(blockDim.x) * blockIdx.x;
    if (cell >= static_cast<int64>(sides.low) + sides.high) return;
    Stored* array = blockIdx.y == 0 ? first : blockIdx.y == 1 ? second : third;
    array[places[cell]] = message[slot(sides, blockIdx.y, gridDim.y, cell)];
}
