// The scalars at the beginning of an iteration; no equation. Twin of `begin` in
// crates/linear/src/scalars.rs.
//
// relative, absolute: where it stops. slots: all are written, by one thread.
#include "linear/scalars.cuh"

KERNEL begin_iteration(const Real relative, const Real absolute, Real* slots) {
    Slots all = {slots};
    for (int n = 0; n < SLOTS_OF_ITERATION; ++n) slots[n] = Real(0);
    all[Scalar::Relative] = relative;
    all[Scalar::Absolute] = absolute;
}
