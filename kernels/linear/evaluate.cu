// Finishes inner products, eq. (V16) of docs/src/theory/fvm.md, and computes a formula from the
// scalars. Twin of `value` in crates/linear/src/sums.rs and of `evaluate` in
// crates/linear/src/scalars.rs.
//
// count: of inner products, whose slots are first, second and third; formula: its number, or -1 for
// none. partial_sums: as inner_products.cu leaves it; set to zero. slots: those and what the formula
// changes are written. One block.
#include "linear/scalars.cuh"
#include "linear/sums.cuh"

// The inner product of a pair.
INLINE Real product_of_pair(int64* partial_sums, int pair) {
    const int window = static_cast<int>(partial_sums[pair]);
    if (window == NOT_FINITE) return value_of(window, 0, 0, 0);
    const int64* const bin = bins_of(partial_sums, pair) + window;
    return value_of(window, bin[2], bin[1], bin[0]);
}

KERNEL evaluate(const int count, const int first, const int second, const int third,
                const int formula, int64* partial_sums, Real* slots) {
    if (threadIdx.x == 0) {
        // Fetched together: one after the other they would take longer than all that follows.
        Real kept[SLOTS_OF_ITERATION];
        for (int n = 0; n < SLOTS_OF_ITERATION; ++n) kept[n] = slots[n];
        const int into[MOST_PAIRS] = {first, second, third};
        if (is_running(kept)) {
            for (int pair = 0; pair < count; ++pair) {
                kept[into[pair]] = product_of_pair(partial_sums, pair);
            }
        }
        Slots all = {kept};
        if (formula >= 0) all.evaluate(static_cast<Formula>(formula));
        for (int n = 0; n < SLOTS_OF_ITERATION; ++n) slots[n] = kept[n];
    }
    __syncthreads();
    const int used = count == 0 ? 0 : MOST_PAIRS + count * BINS;
    for (int n = threadIdx.x; n < used; n += blockDim.x) partial_sums[n] = 0;
}
