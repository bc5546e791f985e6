// What shared memory holds before the first write: the first word, the first number, and the
// last byte.
#include "device.cuh"

KERNEL unwritten_shared(const int bytes, uint32* word, Real* number, int* byte) {
    SHARED(unsigned char, memory);
    *word = *reinterpret_cast<uint32*>(memory);
    *number = *reinterpret_cast<Real*>(memory);
    *byte = memory[bytes - 1];
    memory[0] = 0;
}
