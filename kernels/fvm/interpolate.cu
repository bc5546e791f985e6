// Face velocities by Rhie and Chow, and the equation of the pressure correction; eqs. (V9) to (V11) of
// docs/src/theory/fvm.md. Twin of crates/fvm/src/cpu/interpolate.rs.
//
// Arrays as in assemble.cu. u in m/s, diagonal in 1/s: read with one halo cell, p in m2/s2 with
// two, without edges. above, and through_last, through_before, u_last, u_before of past time steps:
// on open faces. theta in K and buoyancy in m/s2: read with one halo cell in directions with a lift. through in m/s, coefficients in 1/(m2 s-1): each thread writes those low faces of
// its own cell, and high ones of the last cells, that are open or outlets. b in 1/s: what flows
// into each own cell and not out. reductions: MASS is raised. Shared memory: one number.
#include "fvm/field.cuh"
#include "fvm/reductions.cuh"

// What the faces are made from.
struct Predicted {
    const unsigned char* kinds;
    const Real* u;
    const Real* p;
    const Real* diagonal;
    const Real* above;
    const Real* u_last;
    const Real* u_before;
    const Real* face_velocity_last;
    const Real* face_velocity_before;
    const Real* theta;
    const Real* buoyancy;
    int64 length;
};

// Velocity through a face in m/s, and the coefficient of the pressure correction there.
struct Face {
    int kind;
    Real velocity, coefficient;
};

// What is around a cell along one direction: bits of the cell before and of the next two, pressures of the two cells
// before and after, velocities in this direction and diagonals of the cells before and after, and of both faces how far
// they are above the means and their velocity.
struct AlongFaces {
    unsigned char before, after, next;
    Real p[4], u[2], here, diagonal[2], above[2], face_velocity[2];
};

// What the faces of a cell are made from. It is all loaded before anything is decided, so that no load waits for another.
struct NearFaces {
    unsigned char bits;
    Real p, diagonal;
    AlongFaces along[DIRECTIONS];
};

INLINE NearFaces near_faces(const Layout& layout, const Predicted& from, const Real* face_velocity, int64 here) {
    NearFaces near;
    near.bits = from.kinds[here];
    near.p = from.p[here];
    near.diagonal = from.diagonal[here];
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        const int64 stride = stride_of(layout, d), place = d * from.length + here;
        AlongFaces& along = near.along[d];
        along.before = from.kinds[here - stride];
        along.after = from.kinds[here + stride];
        along.next = from.kinds[here + 2 * stride];
        along.p[0] = from.p[here - 2 * stride];
        along.p[1] = from.p[here - stride];
        along.p[2] = from.p[here + stride];
        along.p[3] = from.p[here + 2 * stride];
        along.here = from.u[place];
#pragma unroll
        for (int side = 0; side < 2; ++side) {
            along.u[side] = from.u[place + (2 * side - 1) * stride];
            along.diagonal[side] = from.diagonal[here + (2 * side - 1) * stride];
            along.above[side] = from.above[place + side * stride];
            along.face_velocity[side] = face_velocity[place + side * stride];
        }
    }
    at_once(near.p);
    at_once(near.diagonal);
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        AlongFaces& along = near.along[d];
        at_once(along.p);
        at_once(along.u);
        at_once(along.here);
        at_once(along.diagonal);
        at_once(along.above);
        at_once(along.face_velocity);
    }
    return near;
}

// The past of an open face over the time steps; eq. (V9).
INLINE Real history_of(const Predicted& from, const Factors& factors, int64 face, int64 stride,
                       int d) {
    if (is_steady(factors)) return Real(0);
    const int64 shift = d * from.length;
    const Real last = above_mean(from.face_velocity_last + shift, from.u_last + shift, face, stride);
    const Real before =
        above_mean(from.face_velocity_before + shift, from.u_before + shift, face, stride);
    return factors.last * last - factors.before * before;
}

// What buoyancy adds to the velocity through an open face, with the mean of the relaxed diagonals; eq. (H11).
INLINE Real lift_at(const Predicted& from, const Fluid& fluid, int64 face, int64 stride, int d, Real diagonal) {
    const Pair theta = pair_at(from.theta, face, stride);
    const Real at_face = buoyancy_at(theta.low, theta.high, fluid.lift[d]);
    const Real above_mean = at_face - mean_of(pair_at(from.buoyancy + d * from.length, face, stride));
    return fluid.rhie_chow * (above_mean / diagonal);
}

// The face at the low (0) or high (1) side of a cell, which is the one of the flow if it is an outlet. What it does not
// change is not set.
INLINE Face face_at(const Predicted& from, const Fluid& fluid, const Factors& factors, const NearFaces& near, int side,
                    int64 face, int64 stride, int d) {
    const AlongFaces& along = near.along[d];
    // The cells around the face in a row, and what lies between them.
    const Real p[4] = {along.p[side], side == 0 ? along.p[1] : near.p, side == 0 ? near.p : along.p[2], along.p[side + 2]};
    const int kinds[3] = {kind_of(side == 0 ? along.before : near.bits, d), kind_of(side == 0 ? near.bits : along.after, d),
                          kind_of(side == 0 ? along.after : along.next, d)};
    const Pair u = side == 0 ? Pair{along.u[0], along.here} : Pair{along.here, along.u[1]};
    const Pair diagonals = side == 0 ? Pair{along.diagonal[0], near.diagonal} : Pair{near.diagonal, along.diagonal[1]};
    const Real(&out)[2] = fluid.outlet_pressure[d];
    const Real inverse_h = fluid.inverse_h[d];
    Face made = {kinds[1], Real(0), Real(0)};
    if (made.kind == OPEN) {
        const Real mean = mean_of(diagonals);
        const Three before = {p[0], p[1], p[2], kinds[0], kinds[1], out[0], out[1]};
        const Three after = {p[1], p[2], p[3], kinds[1], kinds[2], out[0], out[1]};
        const Pair gradients = {gradient(before, inverse_h), gradient(after, inverse_h)};
        const Real history = history_of(from, factors, face, stride, d);
        const Real rhie_chow_correction = rhie_chow_correction_of(gradients, Pair{p[1], p[2]}, inverse_h, mean,
                                  factors.one_minus_alpha, along.above[side], history);
        made.velocity =
            mean_of(u) + fluid.rhie_chow * rhie_chow_correction;
        if (fluid.lift[d] != Real(0)) made.velocity += lift_at(from, fluid, face, stride, d, mean);
        made.coefficient = inverse_h * inverse_h / pressure_diagonal(factors.share, factors.storage, mean);
    } else if (made.kind == OUTLET) {
        made.velocity = along.here;
        if (asks(factors)) {
            const Real inside = from.u_last[d * from.length + face - (side == 0 ? 0 : stride)];
            made.velocity += factors.last * (from.face_velocity_last[d * from.length + face] - inside);
        }
        made.coefficient =
            Real(2) * inverse_h * inverse_h / pressure_diagonal(factors.share, factors.storage, near.diagonal);
    }
    return made;
}

INLINE bool is_free(const Face& face) { return face.kind == OPEN || face.kind == OUTLET; }

KERNEL SMALL_BLOCK interpolate(const Layout layout, const Fluid fluid, const Factors* factors,
                   const unsigned char* kinds, const Real* u, const Real* p, const Real* diagonal,
                   const Real* above, const Real* u_last, const Real* u_before,
                   const Real* face_velocity_last, const Real* face_velocity_before,
                   const Real* theta, const Real* buoyancy, Real* face_velocity,
                   Real* coefficients, Real* b, int64* reductions) {
    const Factors factor = *factors;
    const int64 length = length_of(layout);
    const Predicted from = {kinds,    u,        p,            diagonal,       above,
                            u_last,   u_before, face_velocity_last, face_velocity_before, theta,
                            buoyancy, length};
    Bits most = 0;
    for (Indices at = indices_of_thread(); is_own(layout, at); advance(at)) {
        const int64 here = place_of(layout, at);
        const NearFaces near = near_faces(layout, from, face_velocity, here);
        Real inflow = Real(0);
#pragma unroll
        for (int d = 0; d < DIRECTIONS; ++d) {
            // The high face is another thread's too, which finds the same.
            const int64 stride = stride_of(layout, d), high_face = here + stride;
            const bool is_last = along(at, d) + 1 == layout.cells[d];
            Real* const velocity = face_velocity + d * length;
            Real* const coefficient = coefficients + d * length;
            Face low = face_at(from, fluid, factor, near, 0, here, stride, d);
            Face high = face_at(from, fluid, factor, near, 1, high_face, stride, d);
            if (is_free(low)) {
                velocity[here] = low.velocity;
                coefficient[here] = low.coefficient;
            } else {
                low.velocity = near.along[d].face_velocity[0];
            }
            if (!is_free(high)) {
                high.velocity = near.along[d].face_velocity[1];
            } else if (is_last) {
                velocity[high_face] = high.velocity;
                coefficient[high_face] = high.coefficient;
            }
            inflow -= (high.velocity - low.velocity) * fluid.inverse_h[d];
        }
        // Into bodies it only seems to flow.
        if ((near.bits & IN_BODY) == IN_BODY) inflow = Real(0);
        most = larger(most, bits_of(inflow));
        b[here] = inflow;
    }
    note_largest(reductions + MASS, most);
}
