// Velocity through a convective outlet less its share of what leaves more than comes in; eq. (V21) of
// docs/src/theory/fvm.md. Twin of `carry` in crates/fvm/src/carried.rs.
//
// leak: what leaves through the outlet, prescribed: what leaves elsewhere, in units each of which is `share` m/s at
// each face. u, face_velocity in m/s, one component after the other: each thread writes one value of both.
#include "fvm/carried_face.cuh"

KERNEL balance_through(const Layout layout, const Real share, const Real outward, const int64 prescribed,
                       const int direction, const int count, const CarriedFace* faces, const uint64* leak,
                       Real* u, Real* face_velocity) {
    const int64 entry = threadIdx.x + static_cast<int64>(blockDim.x) * blockIdx.x;
    if (entry >= count) return;
    const CarriedFace at = faces[entry];
    const int64 first = direction * length_of(layout);
    const int64 all = static_cast<int64>(*leak + static_cast<uint64>(prescribed));
    const Real velocity = u[first + at.ghost] - outward * (static_cast<Real>(all) * share);
    u[first + at.ghost] = velocity;
    face_velocity[first + at.face] = velocity;
}
