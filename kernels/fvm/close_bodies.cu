// Takes what each body takes in all from the velocities through its faces; eq. (V19) of docs/src/theory/fvm.md. Twin of
// `set_body_faces` in crates/fvm/src/cpu/body_faces.rs.
//
// faces: see body_face.cuh; `count` of them, each of one thread. spread in m: one over the sum of 1/h over a body's faces.
// all: what `ranks` ranks left in `leaks` of interpolate_body_faces.cu, of `bodies` bodies, one rank after the other.
// face_velocity in m/s: each thread changes that of its own face.
#include "fvm/body_face.cuh"

KERNEL close_bodies(const Layout layout, const Real units, const int ranks, const int bodies, const int count,
                    const BodyFace* faces, const Real* spread, const int64* all, Real* face_velocity) {
    const int64 entry = threadIdx.x + static_cast<int64>(blockDim.x) * blockIdx.x;
    if (entry >= count) return;
    const BodyFace face = faces[entry];
    int64 low = 0, high = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        const int64* const theirs = all + 2 * (rank * bodies + face.body);
        low += theirs[0];
        high += theirs[1];
    }
    const Real back = sum_of_units(low & 0xffffffff, high + (low >> 32)) / units * spread[face.body];
    const int d = static_cast<int>(face.direction);
    const int64 place = face.cell + (face.side == 1 ? stride_of(layout, d) : 0);
    face_velocity[d * length_of(layout) + place] += face.side == 1 ? -back : back;
}
