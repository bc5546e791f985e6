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

// A low face; `inside` is the cell of the flow beside it, if it is an outlet. What it does not
// change is not set.
INLINE Face face_at(const Predicted& from, const Fluid& fluid, const Factors& factors, int64 face,
                    int64 stride, int d, int64 inside) {
    const Real inverse_h = fluid.inverse_h[d];
    Face made = {kind_of(from.kinds[face], d), Real(0), Real(0)};
    if (made.kind == OPEN) {
        const Real mean = mean_of(pair_at(from.diagonal, face, stride));
        const Pair gradients = {gradient_at(from.kinds, from.p, face - stride, stride, d,
                                            fluid.outlet_pressure[d], inverse_h),
                                gradient_at(from.kinds, from.p, face, stride, d, fluid.outlet_pressure[d],
                                            inverse_h)};
        const Real history = history_of(from, factors, face, stride, d);
        const Real rhie_chow_correction = rhie_chow_correction_of(gradients, pair_at(from.p, face, stride), inverse_h, mean,
                                  factors.one_minus_alpha, from.above[d * from.length + face], history);
        made.velocity =
            mean_of(pair_at(from.u + d * from.length, face, stride)) + fluid.rhie_chow * rhie_chow_correction;
        if (fluid.lift[d] != Real(0)) made.velocity += lift_at(from, fluid, face, stride, d, mean);
        made.coefficient = inverse_h * inverse_h / pressure_diagonal(factors.share, factors.storage, mean);
    } else if (made.kind == OUTLET) {
        made.velocity = from.u[d * from.length + inside];
        const Real diagonal = from.diagonal[inside];
        made.coefficient =
            Real(2) * inverse_h * inverse_h / pressure_diagonal(factors.share, factors.storage, diagonal);
    }
    return made;
}

INLINE bool is_free(const Face& face) { return face.kind == OPEN || face.kind == OUTLET; }

KERNEL interpolate(const Layout layout, const Fluid fluid, const Factors* factors,
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
        Real inflow = Real(0);
#pragma unroll
        for (int d = 0; d < DIRECTIONS; ++d) {
            // The high face is another thread's too, which finds the same.
            const int64 stride = stride_of(layout, d), high_face = here + stride;
            const bool is_last = along(at, d) + 1 == layout.cells[d];
            Real* const velocity = face_velocity + d * length;
            Real* const coefficient = coefficients + d * length;
            Face low = face_at(from, fluid, factor, here, stride, d, here);
            Face high = face_at(from, fluid, factor, high_face, stride, d, here);
            if (is_free(low)) {
                velocity[here] = low.velocity;
                coefficient[here] = low.coefficient;
            } else {
                low.velocity = velocity[here];
            }
            if (!is_free(high)) {
                high.velocity = velocity[high_face];
            } else if (is_last) {
                velocity[high_face] = high.velocity;
                coefficient[high_face] = high.coefficient;
            }
            inflow -= (high.velocity - low.velocity) * fluid.inverse_h[d];
        }
        // Into bodies it only seems to flow.
        if ((kinds[here] & IN_BODY) == IN_BODY) inflow = Real(0);
        most = larger(most, bits_of(inflow));
        b[here] = inflow;
    }
    note_largest(reductions + MASS, most);
}
