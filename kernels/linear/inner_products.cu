// Inner products of vectors, at most three; eq. (V16) of docs/src/theory/fvm.md. Twin of `dots` in
// crates/linear/src/cpu/domain.rs.
//
// Vectors have padded rows, in any unit; own cells are read, those of the first `count` pairs.
// partial_sums: the highest windows of each pair's products are raised; and each block adds, for each
// pair, the sums of its digits where their windows have their places, see sums.cuh. Shared memory:
// four numbers for each pair. Nothing is done once the iteration has ended.
#include "linear/layout.cuh"
#include "linear/scalars.cuh"
#include "linear/sums.cuh"

// Adds a thread's sum to those of its block. Every thread of the block calls it.
INLINE void add_to_block(int64* window, int64* digits, Sum sum) {
    block_max(window, sum.window);
    __syncthreads();
    move_to(sum, static_cast<int>(*window));
#pragma unroll
    for (int n = 0; n < DIGITS; ++n) add_up(digits + n, static_cast<int64>(sum.digits[n]));
}

KERNEL inner_products(const Layout layout, const int count, const Real* slots, const Real* x0,
                      const Real* y0, const Real* x1, const Real* y1, const Real* x2,
                      const Real* y2, int64* partial_sums) {
    SHARED(int64, shared);
    if (!is_running(slots)) return;
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (thread < MOST_PAIRS * (DIGITS + 1)) shared[thread] = 0;
    Sum sums[MOST_PAIRS] = {no_sum(), no_sum(), no_sum()};
    for (Indices at = indices_of_thread(); is_own(layout, at); advance(at)) {
        const int64 here = place_of(layout, at);
        add(sums[0], x0[here] * y0[here]);
        if (count > 1) add(sums[1], x1[here] * y1[here]);
        if (count > 2) add(sums[2], x2[here] * y2[here]);
    }
    __syncthreads();
    int64* const digits = shared + MOST_PAIRS;
#pragma unroll
    for (int pair = 0; pair < MOST_PAIRS; ++pair) {
        if (pair < count) add_to_block(shared + pair, digits + pair * DIGITS, sums[pair]);
    }
    __syncthreads();
    if (thread >= count * DIGITS) return;
    const int pair = thread / DIGITS, digit = thread % DIGITS;
    const int window = static_cast<int>(shared[pair]);
    if (digit == 0 && window > fresh(partial_sums + pair)) atomicMax(partial_sums + pair, shared[pair]);
    if (window == NOT_FINITE || digits[thread] == 0) return;
    int64* const bin = bins_of(partial_sums, pair) + window + DIGITS - 1 - digit;
    atomicAdd(reinterpret_cast<uint64*>(bin), static_cast<uint64>(digits[thread]));
}
