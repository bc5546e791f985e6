// `post` and `collect` in one launch, for messages so short that all blocks run at the same time; no
// equation. A block posts its part of the message of a side and then collects the same part of the
// neighbour's. Arrays and places as there: `there` is the memory of the neighbours' devices, `sent` and
// `received` tell of the messages there and here.
#include "halo/boxes.cuh"

KERNEL trade(const Boxes sent, const Boxes received, Stored* first, Stored* second, Stored* third,
             const int64* sent_places, const int64* received_places, uint32* stamps,
             Stored* low_there, Stored* high_there, uint32* low_flags_there,
             uint32* high_flags_there, const Stored* low, const Stored* high,
             const uint32* low_flags, const uint32* high_flags) {
    const Share share = share_of(sent, blockIdx.x);
    const bool is_low = share.side == 0;
    const uint32 stamp = stamps[blockIdx.x] + 1u;
    post_share(sent, share, stamp, first, second, third, sent_places,
               is_low ? low_there : high_there, is_low ? low_flags_there : high_flags_there);
    collect_share(received, share_of(received, blockIdx.x), stamp, is_low ? low : high,
                  is_low ? low_flags : high_flags, received_places, first, second, third);
    if (threadIdx.x == 0) stamps[blockIdx.x] = stamp;
}
