// Writes what the neighbours' halos need into boxes in the memory of their devices; no equation. A
// block is a part of the message of one side, of up to three arrays in any layout and unit. Reads the
// cells at `places`, the low side's first, and how many messages were collected, in `stamps`; writes
// each value of a slot once, then the flag of the part. Reads no halo beyond what earlier passes have
// filled.
#include "halo/boxes.cuh"

KERNEL post(const Boxes boxes, const Stored* first, const Stored* second, const Stored* third,
            const int64* places, const uint32* stamps, Stored* low, Stored* high,
            uint32* low_flags, uint32* high_flags) {
    const Share share = share_of(boxes, blockIdx.x);
    const bool is_low = share.side == 0;
    post_share(boxes, share, stamps[blockIdx.x] + 1u, first, second, third, places,
               is_low ? low : high, is_low ? low_flags : high_flags);
}
