// The same flow in all cells, before a step of parity 0; eq. (L17) of docs/src/theory/lbm.md.
//
// Writes values[q], a population less its weight, to all places of slot q of f; thread x is a place
// within a slot, block y a slot, and threads go on by the width of the launch.
#include "lbm/layout.cuh"

KERNEL fill_slots(const Layout layout, const Stored* values, Stored* f) {
    const Stored value = values[blockIdx.y];
    const int64 stride = static_cast<int64>(blockDim.x) * gridDim.x;
    Stored* const slot = f + blockIdx.y * layout.slot;
    for (int64 n = threadIdx.x + static_cast<int64>(blockDim.x) * blockIdx.x; n < layout.slot;
         n += stride) {
        slot[n] = value;
    }
}
