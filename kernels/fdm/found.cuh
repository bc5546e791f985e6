// What launches have found, for the processor to read.
#pragma once
#include "device.cuh"

// Slots of `found`: largest magnitudes as bits. Mirrored in crates/fdm/src/gpu/numbers.rs.
enum Slot { SPEED = 0, CHANGE = 3, RESIDUAL = 4, RIGHT_HAND_SIDE = 5, PRESSURE_CHANGE = 6, SLOTS = 7 };

// Raises a slot to the largest of all threads' values; every thread of the block calls it. What a
// thread has seen in the slot spares it the atomic operation, even if that is an old value.
INLINE void note(Real* found, int slot, Bits x) {
    Bits* const at = reinterpret_cast<Bits*>(found) + slot;
    raise(at, x > *at ? x : 0);
}
