// Copies an array: the fastest that a kernel can move memory, to hold other kernels against.
//
// from is read and to written, both of `n` values; each thread copies FEW of them beside each other.
#include "device.cuh"

// As many as one load takes. Mirrored in benches/src/bandwidth.rs.
constexpr int FEW = 4;
struct __align__(FEW * sizeof(Real)) Few {
    Real at[FEW];
};

KERNEL copy(const int64 n, const Real* from, Real* to) {
    const int64 at = (static_cast<int64>(blockIdx.x) * blockDim.x + threadIdx.x) * FEW;
    if (at + FEW > n) return;
    *reinterpret_cast<Few*>(to + at) = *reinterpret_cast<const Few*>(from + at);
}
