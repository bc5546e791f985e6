// Threads that do one number after the other of what rounds of Anderson's acceleration keep. Blocks are rows of threads.
#pragma once
#include "device.cuh"

// Threads of the launch.
INLINE int64 threads() { return static_cast<int64>(gridDim.x) * blockDim.x; }

// The first number of this thread.
INLINE int64 first_of_thread() { return static_cast<int64>(blockIdx.x) * blockDim.x + threadIdx.x; }
