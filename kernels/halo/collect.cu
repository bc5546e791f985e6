// Waits for what the neighbours' devices post into this one's boxes and scatters it into the halos;
// no equation. Blocks as in `post`. Reads each value of a slot once; writes the halo cells at
// `places`, the low side's first, each by one thread, and counts the messages in `stamps`.
#include "halo/boxes.cuh"

KERNEL collect(const Boxes boxes, const Stored* low, const Stored* high, const uint32* low_flags,
               const uint32* high_flags, const uint32* places, Stored* first, Stored* second,
               Stored* third, uint32* stamps) {
    const Share share = share_of(boxes, blockIdx.x);
    const uint32 stamp = stamps[blockIdx.x] + 1u;
    if (threadIdx.x == 0) {
        await_afar((share.side == 0 ? low_flags : high_flags) + share.number, stamp);
    }
    __syncthreads();
    const int64 cells = boxes.cells[share.side];
    const uint32* to = places + (share.side == 0 ? 0 : boxes.cells[0]);
    const Stored* box = (share.side == 0 ? low : high) + slot_of(boxes, share.side, stamp);
    for (int64 array = 0; array < boxes.arrays; ++array) {
        Stored* values = array == 0 ? first : array == 1 ? second : third;
        for (int64 cell = share.first + threadIdx.x; cell < share.end; cell += blockDim.x) {
            values[to[cell]] = box[array * cells + cell];
        }
    }
    if (threadIdx.x == 0) stamps[blockIdx.x] = stamp;
}
