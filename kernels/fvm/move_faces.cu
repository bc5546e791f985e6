// Velocities through faces follow those of their cells; eq. (V26) of docs/src/theory/fvm.md. Twin of `move_faces` in
// crates/fvm/src/cpu/coarser.rs.
//
// Arrays as in assemble.cu; above: how far face velocities were above what their cells had. face_velocity in m/s: each
// thread writes low faces of its own cell, and high ones of the last cells, that are open or outlets.
#include "fvm/coarser.cuh"

KERNEL move_faces(const Layout layout, const unsigned char* kinds, const Real* u, const Real* above, Real* face_velocity) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at)) return;
    const int64 length = length_of(layout);
    on_faces_of(layout, at, [&](int d, const Indices& face) {
        const int64 here = place_of(layout, face), shift = d * length;
        const int kind = kind_of(kinds[here], d);
        if (kind != OPEN && kind != OUTLET) return;
        const Pair cells = pair_at(u + shift, here, stride_of(layout, d));
        face_velocity[shift + here] = on_face(kind, along(face, d) == 0, cells) + above[shift + here];
    });
}
