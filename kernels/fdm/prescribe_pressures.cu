// Prescribed outlet pressures, moved to the right-hand side; eqs. (F6), (F11) of
// docs/src/theory/fdm.md.
//
// red, black in 1/s2: right-hand sides of the cells of each colour. Entry n subtracts values[n] from
// place places[n] / 2 of the colour places[n] % 2. Entries of one place follow each other and are
// done by one thread in their order.
#include "device.cuh"

KERNEL prescribe_pressures(const int entries, const int64* places, const Real* values, Real* red,
                           Real* black) {
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= entries) return;
    const int64 place = places[n];
    if (n > 0 && places[n - 1] == place) return;
    Real* const at = (place % 2 == 0 ? red : black) + place / 2;
    for (; n < entries && places[n] == place; ++n) *at = *at - values[n];
}
