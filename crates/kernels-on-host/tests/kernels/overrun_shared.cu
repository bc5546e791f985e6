// Writes `value` into word `at` of the shared memory and reads it back.
#include "device.cuh"

KERNEL overrun_shared(const int at, const int value, int* found) {
    SHARED(int, words);
    words[at] = value;
    *found = words[at];
}
