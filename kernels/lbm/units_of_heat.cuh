// Heat as whole numbers, whose sums are the same in any order. Twin of crates/lbm/src/heat/came.rs.
#pragma once
#include "device.cuh"

// In whole units; the nearest that there is, nothing if it is not a number.
INLINE int64 units_of_heat(double came) {
    const double all = rint(came * static_cast<double>(1LL << 56)), end = 9223372036854775808.0;
    if (!(all == all)) return 0;
    if (all >= end) return 0x7fffffffffffffffLL;
    return all < -end ? -0x7fffffffffffffffLL - 1 : static_cast<int64>(all);
}
