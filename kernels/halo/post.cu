// Writes what the neighbours' halos need into boxes in the memory of their devices; no equation. A
// block is a part of the message of one side, of up to three arrays in any layout and unit. Reads the
// cells at `places`, the low side's first, and how many messages were collected, in `stamps`; writes
// each value of a slot once, then the flag of the part. Reads no halo beyond what earlier passes have
// filled.
#include "halo/boxes.cuh"

KERNEL post(const Boxes boxes, const Stored* first, const Stored* second, const Stored* third,
            const uint32* places, const uint32* stamps, Stored* low, Stored* high,
            uint32* low_flags, uint32* high_flags) {
    const Share share = share_of(boxes, blockIdx.x);
    const uint32 stamp = stamps[blockIdx.x] + 1u;
    const int64 cells = boxes.cells[share.side];
    const uint32* from = places + (share.side == 0 ? 0 : boxes.cells[0]);
    Stored* box = (share.side == 0 ? low : high) + slot_of(boxes, share.side, stamp);
    for (int64 array = 0; array < boxes.arrays; ++array) {
        const Stored* values = array == 0 ? first : array == 1 ? second : third;
        for (int64 cell = share.first + threadIdx.x; cell < share.end; cell += blockDim.x) {
            box[array * cells + cell] = values[from[cell]];
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        publish_afar((share.side == 0 ? low_flags : high_flags) + share.number, stamp);
    }
}
