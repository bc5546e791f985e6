// Writes `value` into word `at` of an array.
#include "device.cuh"

KERNEL overrun_array(const int at, const int value, int* words) { words[at] = value; }
