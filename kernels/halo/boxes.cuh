// How devices send each other halos without the host: each side of a rank has a box, in its device's
// memory, that the neighbour beyond writes into. A box has two slots, used in turn: while one is
// being emptied, the next message already arrives in the other; a third message cannot come before
// the first was collected, because its sender first collects the answer to the second. A message is
// shared by blocks, each with a flag that its part has arrived. Twin of crates/gpu/src/halo/boxes.rs.
#pragma once
#include "device.cuh"

// The messages of a pass: across the low and the high side.
struct Boxes {
    uint32 cells[2];   // cells of each message
    uint32 blocks[2];  // blocks that share it
    int64 room[2];     // values in a slot of its box
    int64 arrays;      // arrays that are sent, one after the other
};
static_assert(sizeof(Boxes) == 40, "as in Rust");

// The part of a message that a block has.
struct Share {
    uint32 side;
    uint32 number;      // of the block among those of the side
    int64 first, end;   // cells of the message
};

INLINE Share share_of(const Boxes& boxes, uint32 block) {
    Share share;
    share.side = block < boxes.blocks[0] ? 0 : 1;
    share.number = share.side == 0 ? block : block - boxes.blocks[0];
    const int64 cells = boxes.cells[share.side], blocks = boxes.blocks[share.side];
    share.first = cells * share.number / blocks;
    share.end = cells * (share.number + 1) / blocks;
    return share;
}

// Where the slot of a message begins in its box.
INLINE int64 slot_of(const Boxes& boxes, uint32 side, uint32 stamp) {
    return static_cast<int64>(stamp & 1u) * boxes.room[side];
}
