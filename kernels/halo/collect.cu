// Waits for what the neighbours' devices post into this one's boxes and scatters it into the halos;
// no equation. Blocks as in `post`. Reads each value of a slot once; writes the halo cells at
// `places`, the low side's first, each by one thread, and counts the messages in `stamps`.
#include "halo/boxes.cuh"

KERNEL collect(const Boxes boxes, const Stored* low, const Stored* high, const uint32* low_flags,
               const uint32* high_flags, const int64* places, Stored* first, Stored* second,
               Stored* third, uint32* stamps) {
    const Share share = share_of(boxes, blockIdx.x);
    const bool is_low = share.side == 0;
    const uint32 stamp = stamps[blockIdx.x] + 1u;
    collect_share(boxes, share, stamp, is_low ? low : high, is_low ? low_flags : high_flags, places,
                  first, second, third);
    if (threadIdx.x == 0) stamps[blockIdx.x] = stamp;
}
