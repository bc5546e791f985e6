// Faces between cells of the flow and bodies that are met at their surface: what they bring into the equations beside
// them; eqs. (V17) and (V18) of docs/src/theory/fvm.md. Twin of crates/fvm/src/cpu/body_faces.rs.
#pragma once
#include "fvm/fluid.cuh"
#include "fvm/stencil.cuh"
#include "linear/layout.cuh"

// A face of a cell of the flow, at whose other side lies a body; mirrored in crates/fvm/src/body_faces.rs.
struct BodyFace {
    int64 cell;       // place of the cell
    int64 direction;  // across the face
    int64 side;       // 0 for the cell's low face, 1 for its high one
    int64 is_open;    // whether the cell's other face in this direction is open
    int64 is_own;     // whether the cell is this rank's, so that the face counts here
    int64 body;       // number of the body
    Real share;       // distance of the wall from the cell's centre over that of the next centre
    Real wall[3];     // velocity of the wall in m/s
};
static_assert(sizeof(BodyFace) == 6 * 8 + 4 * sizeof(Real), "mirrored in Rust");

// A cell whose equations such faces change: their numbers, by direction and side, or -1; mirrored there.
struct BodyCell {
    int64 cell;        // place of the cell
    int64 near[3][2];  // faces of the cell itself
    int64 far[3][2];   // faces of the neighbour on this side, on its far side
};
static_assert(sizeof(BodyCell) == 13 * 8, "mirrored in Rust");

// The flow that the faces are made from.
struct Surrounding {
    const BodyFace* faces;
    const Real* u;
    const Real* face_velocity;
    int64 length;
};

// A face with the places of its cells, of itself and of the face opposite. `sign` is 1 if the axis leaves the cell
// there, else -1.
struct Met {
    BodyFace face;
    int d;
    Real sign;
    int64 here, beyond, opposite, place, place_opposite;
};

INLINE Met met_at(const Layout& layout, const BodyFace& face) {
    const int d = static_cast<int>(face.direction);
    const int64 here = face.cell, stride = stride_of(layout, d);
    const int64 low = here - stride, high = here + stride;
    if (face.side == 1) return {face, d, Real(1), here, high, low, high, here};
    return {face, d, Real(-1), here, low, high, here, high};
}

// A component of the velocity on a face, u being that of the cells; eq. (V18).
INLINE Real velocity_of(const Met& met, const Real* u, int c) {
    return velocity_at_body(met.face.share, met.face.wall[c], u[met.here], u[met.opposite],
                            met.face.is_open == 1);
}

// A component of the wall's velocity, as the cell feels it; eq. (V17).
INLINE Real felt_of(const Met& met, const Real* u, int c) {
    return felt_velocity(met.face.share, met.face.wall[c], u[met.opposite], met.face.is_open == 1);
}

// What leaves a cell through a face in direction d, over the spacing, in 1/s.
INLINE Real outward_of(const Surrounding& from, const Fluid& fluid, int d, int64 place, Real sign) {
    return sign * (from.face_velocity[d * from.length + place] * fluid.inverse_h[d]);
}

// By how much more of a component leaves through the face opposite to a body's than was assembled.
template <int SCHEME>
INLINE Real change_opposite_of(const Surrounding& from, const Fluid& fluid, const Met& met, int c) {
    const Real* const u = from.u + c * from.length;
    const Real outward = outward_of(from, fluid, met.d, met.place_opposite, -met.sign);
    return change_opposite<SCHEME>(outward, u[met.opposite] - u[met.here], u[met.here],
                                   velocity_of(met, u, c), u[met.beyond]);
}

// What a cell's faces change: the sum of its coefficients in 1/s, and sources in m/s2.
struct Changes {
    Real diagonal;
    Real source[DIRECTIONS];
};

template <int SCHEME>
INLINE void add_near(Changes& changes, const Surrounding& from, const Fluid& fluid, const Met& met, Real a) {
    const Real share = met.face.share, diffusion = fluid.diffusion[met.d];
    const Real inward = -outward_of(from, fluid, met.d, met.place, met.sign);
    changes.diagonal += coefficient_at_body(share, diffusion, inward) - a;
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) {
        const Real* const u = from.u + c * from.length;
        changes.source[c] += source_at_body(share, diffusion, inward, fluid.blend, felt_of(met, u, c),
                                            velocity_of(met, u, c), u[met.beyond]);
        if (met.face.is_open == 1) {
            changes.source[c] -= fluid.blend * change_opposite_of<SCHEME>(from, fluid, met, c);
        }
    }
}

template <int SCHEME>
INLINE void add_far(Changes& changes, const Surrounding& from, const Fluid& fluid, const Met& met) {
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) {
        changes.source[c] += fluid.blend * change_opposite_of<SCHEME>(from, fluid, met, c);
    }
}

// All that the faces of a cell change, whose coefficients lie `from.length` apart from `a` on.
template <int SCHEME>
INLINE Changes changes_of(const Layout& layout, const Surrounding& from, const Fluid& fluid,
                          const BodyCell& cell, const Real* a) {
    Changes changes;
    changes.diagonal = Real(0);
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) changes.source[c] = Real(0);
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        for (int side = 0; side < 2; ++side) {
            const int64 near = cell.near[d][side], far = cell.far[d][side];
            if (near >= 0) {
                const Real assembled = a[(2 * d + side) * from.length];
                add_near<SCHEME>(changes, from, fluid, met_at(layout, from.faces[near]), assembled);
            }
            if (far >= 0) add_far<SCHEME>(changes, from, fluid, met_at(layout, from.faces[far]));
        }
    }
    return changes;
}
