// The flow becomes the coarser grid's, and what is missing in its equations is noted there; eqs. (V23) and (V24) of
// docs/src/theory/fvm.md. Twin of `restrict_cells` and `restrict_faces` in crates/fvm/src/cpu/coarser.rs.
//
// Arrays as in assemble.cu and interpolate.cu, after assemble.cu, u and diagonal with one halo cell and p with two. asked_u,
// asked_velocity: what a still finer grid asks for, if factors say so. Of the coarser grid, each thread writes its own
// cell, and low faces of it and the high ones of the last cells: coarse_u in m/s, coarse_p in m2/s2,
// coarse_face_velocity in m/s, missing_u in m/s2, with the sign changed, and missing_velocity in m/s2, or m/s at outlets.
#include "fvm/coarser.cuh"

KERNEL restrict_flow(const Layout layout, const Layout coarser, const Fluid fluid, const Factors* factors,
                     const unsigned char* kinds, const unsigned char* coarse_kinds, const Real* u, const Real* p,
                     const Real* face_velocity, const Real* a, const Real* diagonal, const Real* b, const Real* asked_u,
                     const Real* asked_velocity, Real* coarse_u, Real* coarse_p, Real* coarse_face_velocity,
                     Real* missing_u, Real* missing_velocity) {
    const Indices at = indices_of_thread();
    if (!is_own(coarser, at)) return;
    const Factors factor = *factors;
    const Equations of = {layout, kinds, u, p, face_velocity, a, diagonal, b};
    const int64 here = place_of(coarser, at), length = length_of(coarser), fine_length = length_of(layout);
    const Indices first = first_child_of(at);
    const bool flows = !(coarse_kinds[here] & SOLID);
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) {
        coarse_u[c * length + here] =
            mean_of_children(first, [&](const Indices& cell) { return u[c * fine_length + place_of(layout, cell)]; });
        const Real missing = mean_of_children(first, [&](const Indices& cell) { return missing_in_cell(of, c, cell); });
        missing_u[c * length + here] = flows ? -missing : Real(0);
    }
    coarse_p[here] = mean_of_children(first, [&](const Indices& cell) { return p[place_of(layout, cell)]; });
    on_faces_of(coarser, at, [&](int d, const Indices& face) {
        const int64 place = d * length + place_of(coarser, face);
        const Indices low = first_child_of(face);
        coarse_face_velocity[place] = mean_on_face(
            low, d, [&](const Indices& cell) { return face_velocity[d * fine_length + place_of(layout, cell)]; });
        missing_velocity[place] = mean_on_face(low, d, [&](const Indices& cell) {
            const Real asked = asked_on_face(of, factor, asked_u, asked_velocity, d, cell);
            return missing_on_low_face(of, fluid, factor, d, cell, asked);
        });
    });
}
