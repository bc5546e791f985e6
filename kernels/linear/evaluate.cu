// Finishes inner products, and computes a formula from the scalars; no equation. Twin of `value` in
// crates/linear/src/sums.rs and of `evaluate` in crates/linear/src/scalars.rs.
//
// count: of inner products, whose slots are first, second and third; formula: its number, or -1 for none.
// windows, bins: as inner_products.cu leaves them; set to zero. slots: those and what the formula
// changes are written. One block.
#include "linear/scalars.cuh"
#include "linear/sums.cuh"

KERNEL evaluate(const int count, const int first, const int second, const int third,
                const int formula, int64* windows, int64* bins, Real* slots) {
    if (threadIdx.x == 0) {
        const int into[MOST_PAIRS] = {first, second, third};
        for (int pair = 0; pair < count && is_running(slots); ++pair) {
            const int window = static_cast<int>(windows[pair]);
            const int64* const bin = bins + pair * BINS + window;
            slots[into[pair]] = window == NOT_FINITE ? value_of(window, 0, 0, 0)
                                                     : value_of(window, bin[2], bin[1], bin[0]);
        }
        Slots all = {slots};
        if (formula >= 0) all.evaluate(static_cast<Formula>(formula));
    }
    __syncthreads();
    for (int n = threadIdx.x; n < count * BINS; n += blockDim.x) bins[n] = 0;
    for (int n = threadIdx.x; n < count; n += blockDim.x) windows[n] = 0;
}
