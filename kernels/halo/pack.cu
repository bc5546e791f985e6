// Gathers what the neighbours' halos need into messages; no equation. Thread x is a cell of the two
// sides, block y one of up to three arrays, in any layout and unit. Reads the cells at `places`, the
// low side's first; writes each slot of `message` once. Reads no halo beyond what earlier passes
// have filled.
#include "halo/sides.cuh"

KERNEL pack(const Sides sides, Stored* message, const Stored* first, const Stored* second,
            const Stored* third, const int64* places) {
    const int64 cell = threadIdx.x + static_cast<int64>(blockDim.x) * blockIdx.x;
    if (cell >= static_cast<int64>(sides.low) + sides.high) return;
    const Stored* array = blockIdx.y == 0 ? first : blockIdx.y == 1 ? second : third;
    message[slot(sides, blockIdx.y, gridDim.y, cell)] = array[places[cell]];
}
