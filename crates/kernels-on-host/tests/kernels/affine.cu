// y = a x + b, with scalars in a structure that has padding in it.
#include "device.cuh"

struct Affine {
    int offset;
    double a;
    Real b[3];
    unsigned char lane;
};

KERNEL affine(const Affine map, const Real* __restrict__ x, Real* __restrict__ y, const int64 n) {
    const int64 i = static_cast<int64>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) y[i + map.offset] = static_cast<Real>(map.a) * x[i] + map.b[map.lane];
}
