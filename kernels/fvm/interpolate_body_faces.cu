// Velocities through the faces of bodies, and what each body takes; eqs. (V18) and (V19) of docs/src/theory/fvm.md. Twin
// of `set_body_faces` in crates/fvm/src/cpu/body_faces.rs.
//
// faces: see body_face.cuh; `count` of them, each of one thread. u in m/s: read with two halo cells. face_velocity in
// m/s: each thread changes that of its own face. leaks: of each body the low 32 bits and the higher ones of what flows
// into it, in whole units, are added.
#include "fvm/body_face.cuh"

KERNEL interpolate_body_faces(const Layout layout, const Fluid fluid, const Real units, const int count,
                              const BodyFace* faces, const Real* u, Real* face_velocity, int64* leaks) {
    const int64 entry = threadIdx.x + static_cast<int64>(blockDim.x) * blockIdx.x;
    if (entry >= count) return;
    const Met met = met_at(layout, faces[entry]);
    const int64 shift = met.d * length_of(layout);
    const Real now = velocity_of(met, u + shift, met.d);
    const Real velocity = relaxed_at_body(face_velocity[shift + met.place], now);
    face_velocity[shift + met.place] = velocity;
    if (met.face.is_own == 0) return;
    const int64 leak = signed_in_units(met.sign * (velocity * fluid.inverse_h[met.d]), units);
    uint64* const mine = reinterpret_cast<uint64*>(leaks + 2 * met.face.body);
    atomicAdd(mine, static_cast<uint64>(leak & 0xffffffff));
    atomicAdd(mine + 1, static_cast<uint64>(leak >> 32));
}
