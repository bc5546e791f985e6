// What surfaces feel of the cells beside them; eq. (V22) of docs/src/theory/fvm.md. Twin of crates/fvm/src/forces.rs.
//
// length: values of a component or direction. blend: share of the scheme above upwind. u, face_velocity in m/s, p in
// m2/s2: also cells of other ranks are read. The rest as in forces.cuh.
#include "forces.cuh"
#include "fvm/stencil.cuh"

// A face of an own cell, at whose other side lies no flow; mirrored in crates/fvm/src/forces.rs.
struct ForceFace {
    int64 direction;         // across the face
    int64 cell, opposite;    // places of the cell, and of the one on its other side
    int64 face;              // place of the face among those of its direction
    int64 kind;              // of the face opposite
    double outward;          // 1 on the high side, -1 on the low one
    double share;            // distance of the wall as a share of the line to the next centre
    double conductance;      // m/s that diffuse for each m/s between the cell and the wall as it is felt
    double wall[3];          // velocity of the wall in m/s
    double outlet_pressure;  // at the face opposite if it is an outlet, in m2/s2
    double mass;             // density times the area of the face in kg/m (of a plane flow kg/m2)
    double viscosity;        // in m2/s, of a body; else 0
    double half;             // from the centre to the face in m, of a body; else 0
    double arm[2];           // of the torque in m
};
static_assert(sizeof(ForceFace) == 17 * 8, "mirrored in Rust");

KERNEL force_on_faces(const int64* first, const double* units, const ForceFace* parts, int64* sums,
                      const int64 length, const Real blend, const Real* u, const Real* p, const Real* face_velocity) {
    ForceSum sum = no_force();
    const int surface = surface_of_block();
    for (int64 n = first_part(first); n < first[surface + 1]; n += parts_at_once()) {
        const ForceFace face = parts[n];
        const int d = static_cast<int>(face.direction), kind = static_cast<int>(face.kind);
        const bool is_open = kind == OPEN;
        const Real outward = face.outward * face_velocity[d * length + face.face];
        const Other other = {kind, p[face.opposite], face.outlet_pressure};
        const Real pressure = pressure_at(FIXED, p[face.cell], Real(0), Real(0), other);
        double force[3] = {0.0, 0.0, 0.0}, turning = 0.0;
#pragma unroll
        for (int c = 0; c < DIRECTIONS; ++c) {
            const Real here = u[c * length + face.cell], opposite = u[c * length + face.opposite];
            const Real at_face = velocity_at_body(face.share, face.wall[c], here, opposite, is_open);
            const Real felt = felt_velocity(face.share, face.wall[c], opposite, is_open);
            const Real leaves = here + blend * (at_face - here);
            const Real carried = positive(outward) * leaves - positive(-outward) * at_face;
            const Real diffused = face.conductance * (here - felt);
            Real momentum = carried + diffused;
            if (c == d) momentum += face.outward * pressure;
            force[c] = face.mass * momentum;
            if (c + d == 1) {
                const double turned = face.outward * (face.viscosity * here - face.half * diffused);
                turning = d == 0 ? turned : -turned;
            }
        }
        add_force(sum, force, torque_of(face.arm, force) + face.mass * turning, units + 2 * surface);
    }
    add_up(sum, sums + FORCE_SUMS * surface);
}
