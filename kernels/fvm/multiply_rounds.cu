// The sum of products of the changes of two rounds, in whole units; docs/src/theory/equations.md. Twin of `products` in
// crates/core/src/steady/rounds_here.rs.
//
// x, y: own cells are read; times of_x and of_y they are one at most. sums: the higher and the low 32 bits of the units of
// 2^-62 in all products are added to two slots from `slot` on. Shared memory: two numbers.
#include "linear/layout.cuh"

KERNEL multiply_rounds(const Layout layout, const int slot, const Real of_x, const Real of_y, const Real* x, const Real* y,
                       int64* sums) {
    SHARED(int64, shared);
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (thread < 2) shared[thread] = 0;
    __syncthreads();
    const int64 length = length_of(layout);
    int64 high = 0, low = 0;
    for (Indices at = indices_of_thread(); is_own(layout, at); advance(at)) {
#pragma unroll
        for (int c = 0; c < DIRECTIONS; ++c) {
            const int64 place = c * length + place_of(layout, at);
            const int64 units = static_cast<int64>(x[place] * of_x * (y[place] * of_y) * Real(4611686018427387904.0));
            high += units >> 32;
            low += units & 0xffffffffll;
        }
    }
    add_up(shared, high);
    add_up(shared + 1, low);
    __syncthreads();
    if (thread < 2) {
        uint64* const sum = reinterpret_cast<uint64*>(sums + slot + thread);
        atomicAdd(sum, static_cast<uint64>(shared[thread]));
    }
}
