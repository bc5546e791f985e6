// What is asked for on the faces of a coarser grid: what the finer grid's miss and these do not; eq. (V25) of
// docs/src/theory/fvm.md. Twin of `begin_correction` in crates/fvm/src/cpu/coarser.rs.
//
// Arrays as in interpolate.cu, after assemble.cu. missing_velocity: of restrict_flow.cu. asked_u in m/s2: of
// ask_in_cells.cu, with one halo cell. asked_velocity in m/s2, or m/s at outlets, above the mean of asked_u: each thread
// writes low faces of its own cell, and high ones of the last cells.
#include "fvm/coarser.cuh"

KERNEL ask_on_faces(const Layout layout, const Fluid fluid, const Factors* factors, const unsigned char* kinds,
                    const Real* u, const Real* p, const Real* face_velocity, const Real* diagonal,
                    const Real* missing_velocity, const Real* asked_u, Real* asked_velocity) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at)) return;
    const Factors factor = *factors;
    const Equations of = {layout, kinds, u, p, face_velocity, nullptr, diagonal, nullptr};
    const int64 length = length_of(layout);
    on_faces_of(layout, at, [&](int d, const Indices& face) {
        const int64 here = place_of(layout, face), shift = d * length;
        const Real asked =
            missing_velocity[shift + here] - missing_on_low_face(of, fluid, factor, d, face, Real(0));
        const Pair cells = pair_at(asked_u + shift, here, stride_of(layout, d));
        const int kind = kind_of(kinds[here], d);
        const Real mean = on_face(kind == OUTLET ? OUTLET : OPEN, along(face, d) == 0, cells);
        asked_velocity[shift + here] = mean + asked;
    });
}
