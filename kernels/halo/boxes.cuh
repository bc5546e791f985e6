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

// Of one side; an index known only at run time would send the structure to the thread's own memory.
INLINE uint32 cells_of(const Boxes& boxes, uint32 side) {
    return side == 0 ? boxes.cells[0] : boxes.cells[1];
}
INLINE uint32 blocks_of(const Boxes& boxes, uint32 side) {
    return side == 0 ? boxes.blocks[0] : boxes.blocks[1];
}
INLINE int64 room_of(const Boxes& boxes, uint32 side) {
    return side == 0 ? boxes.room[0] : boxes.room[1];
}

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
    const int64 cells = cells_of(boxes, share.side), blocks = blocks_of(boxes, share.side);
    share.first = cells * share.number / blocks;
    share.end = cells * (share.number + 1) / blocks;
    return share;
}

// Where the slot of a message begins in its box.
INLINE int64 slot_of(const Boxes& boxes, uint32 side, uint32 stamp) {
    return static_cast<int64>(stamp & 1u) * room_of(boxes, side);
}

// Values that a thread has under way at the same time: those across x lie far apart, each a wait for
// the memory.
constexpr int TOGETHER = 8;

// Copies the values of a part of a message, `to[cell] = from[cell]` where the places of one of the two
// are given.
INLINE void gather_share(const Share& share, const Stored* from, const int64* places, Stored* to) {
    for (int64 first = share.first + threadIdx.x; first < share.end;
         first += TOGETHER * blockDim.x) {
        Stored values[TOGETHER];
#pragma unroll
        for (int n = 0; n < TOGETHER; ++n) {
            const int64 cell = first + n * static_cast<int64>(blockDim.x);
            if (cell < share.end) values[n] = from[places[cell]];
        }
#pragma unroll
        for (int n = 0; n < TOGETHER; ++n) {
            const int64 cell = first + n * static_cast<int64>(blockDim.x);
            if (cell < share.end) to[cell] = values[n];
        }
    }
}
INLINE void scatter_share(const Share& share, const Stored* from, const int64* places,
                          Stored* to) {
    for (int64 first = share.first + threadIdx.x; first < share.end;
         first += TOGETHER * blockDim.x) {
        Stored values[TOGETHER];
        int64 place[TOGETHER];
#pragma unroll
        for (int n = 0; n < TOGETHER; ++n) {
            const int64 cell = first + n * static_cast<int64>(blockDim.x);
            if (cell < share.end) {
                values[n] = from[cell];
                place[n] = places[cell];
            }
        }
#pragma unroll
        for (int n = 0; n < TOGETHER; ++n) {
            const int64 cell = first + n * static_cast<int64>(blockDim.x);
            if (cell < share.end) to[place[n]] = values[n];
        }
    }
}

// Writes a block's part of a message into the box and then its flag. Every thread of the block calls
// it.
INLINE void post_share(const Boxes& boxes, const Share& share, uint32 stamp, const Stored* first,
                       const Stored* second, const Stored* third, const int64* places, Stored* box,
                       uint32* flags) {
    const int64 cells = cells_of(boxes, share.side);
    const int64* from = places + (share.side == 0 ? 0 : boxes.cells[0]);
    Stored* slot = box + slot_of(boxes, share.side, stamp);
    for (int64 array = 0; array < boxes.arrays; ++array) {
        const Stored* values = array == 0 ? first : array == 1 ? second : third;
        gather_share(share, values, from, slot + array * cells);
    }
    __syncthreads();
    if (threadIdx.x == 0) publish_afar(flags + share.number, stamp);
}

// Waits for a block's part of a message and scatters it. Every thread of the block calls it.
INLINE void collect_share(const Boxes& boxes, const Share& share, uint32 stamp, const Stored* box,
                          const uint32* flags, const int64* places, Stored* first, Stored* second,
                          Stored* third) {
    if (threadIdx.x == 0) await_afar(flags + share.number, stamp);
    __syncthreads();
    const int64 cells = cells_of(boxes, share.side);
    const int64* to = places + (share.side == 0 ? 0 : boxes.cells[0]);
    const Stored* slot = box + slot_of(boxes, share.side, stamp);
    for (int64 array = 0; array < boxes.arrays; ++array) {
        Stored* values = array == 0 ? first : array == 1 ? second : third;
        scatter_share(share, slot + array * cells, to, values);
    }
}
