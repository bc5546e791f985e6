// Ghost values that follow the flow: beyond outlets, and along mirrors; eq. (V7) of
// docs/src/theory/fvm.md. Twin of `complete_velocity` in crates/fvm/src/cpu.rs.
//
// u in m/s: one component after the other. Each thread copies one value from the cell of the flow at
// `sources`, in own or halo cells, to the ghost cell at `targets`; no other thread writes there, and no
// ghost is a source.
#include "linear/layout.cuh"

KERNEL copy_ghosts(const int count, const int64* sources, const int64* targets, Real* u) {
    const int64 entry = threadIdx.x + static_cast<int64>(blockDim.x) * blockIdx.x;
    if (entry < count) u[targets[entry]] = u[sources[entry]];
}
