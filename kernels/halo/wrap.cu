// Fills the halos of a periodic direction that one rank has for itself; no equation. Thread x is a
// halo cell of the two sides, block y one of up to three arrays, in any layout and unit. Reads the
// own cells at `from`, and halo cells that earlier passes have filled; writes the halo cells at `to`,
// each by one thread.
#include "halo/sides.cuh"

KERNEL wrap(const Sides sides, Stored* first, Stored* second, Stored* third, const int64* from,
            const int64* to) {
    const int64 cell = threadIdx.x + static_cast<int64>(blockDim.x) * blockIdx.x;
    if (cell >= static_cast<int64>(sides.low) + sides.high) return;
    Stored* array = blockIdx.y == 0 ? first : blockIdx.y == 1 ? second : third;
    array[to[cell]] = array[from[cell]];
}
