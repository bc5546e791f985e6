// The sum of products of the changes of two rounds, in whole units; docs/src/theory/equations.md. Twin of `products` in
// crates/core/src/steady/rounds_here.rs.
//
// x, y: so many numbers; times of_x and of_y they are one at most. sums: the higher and the low 32 bits of the units of
// 2^-62 in all products are added to two slots from `slot` on. Shared memory: two numbers.
#include "rounds/turns.cuh"

KERNEL multiply_rounds(const int64 count, const int slot, const Real of_x, const Real of_y, const Real* x, const Real* y,
                       int64* sums) {
    SHARED(int64, shared);
    if (threadIdx.x < 2) shared[threadIdx.x] = 0;
    __syncthreads();
    int64 high = 0, low = 0;
    for (int64 i = first_of_thread(); i < count; i += threads()) {
        const int64 units = static_cast<int64>(x[i] * of_x * (y[i] * of_y) * Real(4611686018427387904.0));
        high += units >> 32;
        low += units & 0xffffffffll;
    }
    add_up(shared, high);
    add_up(shared + 1, low);
    __syncthreads();
    if (threadIdx.x < 2) {
        uint64* const sum = reinterpret_cast<uint64*>(sums + slot + threadIdx.x);
        atomicAdd(sum, static_cast<uint64>(shared[threadIdx.x]));
    }
}
