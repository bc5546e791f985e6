// Velocities that boundaries prescribe and that change with time, in m/s. Twin of `prescribe` in crates/fvm/src/cpu.rs.
//
// u is the velocity or that through low faces: one component after the other. Each thread writes one value; no other
// thread writes there.
#include "linear/layout.cuh"

KERNEL put_velocities(const int count, const int64* places, const Real* values, Real* u) {
    const int64 entry = threadIdx.x + static_cast<int64>(blockDim.x) * blockIdx.x;
    if (entry < count) u[places[entry]] = values[entry];
}
