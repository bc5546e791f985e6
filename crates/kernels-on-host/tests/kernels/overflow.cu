// Adds one to the largest integer if `value` is that.
#include "device.cuh"

KERNEL overflow(const int value, int* found) { *found = value + 1; }
