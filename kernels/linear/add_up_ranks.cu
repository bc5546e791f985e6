// Inner products over all ranks from what each has found, eq. (V16) of docs/src/theory/fvm.md. Twin of
// `add_up` in crates/linear/src/gpu/reduction.rs.
//
// all: what `ranks` ranks found, one after the other, each as inner_products.cu leaves it. Thread x does
// one of these numbers: of windows it writes the highest to partial_sums, of digits the sum.
#include "linear/sums.cuh"

KERNEL add_up_ranks(const int ranks, const int numbers, const int64* all, int64* partial_sums) {
    const int number = threadIdx.x + blockDim.x * blockIdx.x;
    if (number >= numbers) return;
    int64 x = all[number];
    for (int rank = 1; rank < ranks; ++rank) {
        const int64 other = all[rank * numbers + number];
        x = number >= MOST_PAIRS ? x + other : other > x ? other : x;
    }
    partial_sums[number] = x;
}
