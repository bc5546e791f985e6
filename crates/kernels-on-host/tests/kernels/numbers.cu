// CUDA's arithmetic words on one number.
#include "device.cuh"

KERNEL numbers(const Real x, const Real y, Real* found, int64* whole) {
    found[0] = min(x, y);
    found[1] = max(x, y);
    found[2] = fabs(x);
    found[3] = round(x);
    found[4] = x * x + y;  // two roundings
    found[5] = sqrt(fabs(y));
    whole[0] = llround(x);
    whole[1] = bits_of(x);
    whole[2] = max(2LL, static_cast<int64>(1)) + min(3, 4) + max(1u, 2u);
    whole[3] = __float_as_int(__int_as_float(0x3f800001)) + __double_as_longlong(__longlong_as_double(5));
}
