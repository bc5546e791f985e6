// Between a grid and the next coarser one of the full approximation scheme; eqs. (V23) to (V26) of docs/src/theory/fvm.md.
// Twin of crates/fvm/src/cpu/coarser.rs.
#pragma once
#include "fvm/field.cuh"
#include "linear/level.cuh"
#include "children.cuh"

// The equations of a grid, and its flow.
struct Equations {
    Layout layout;
    const unsigned char* kinds;
    const Real* u;
    const Real* p;
    const Real* face_velocity;
    const Real* a;
    const Real* diagonal;
    const Real* b;
};

// What is missing in the momentum equation of a component, in m/s2.
INLINE Real missing_in_cell(const Equations& of, int c, const Indices& at) {
    const Layout& layout = of.layout;
    const int64 here = place_of(layout, at), in_halves = place_in_halves(layout, at), length = length_of(layout);
    const Real* const u = of.u + c * length;
    Real coefficients[SIDES], beside[SIDES];
#pragma unroll
    for (int side = 0; side < SIDES; ++side) coefficients[side] = of.a[side * length + in_halves];
    take_beside(layout, u, here, beside);
    return residual_of(of.b[c * length + in_halves], sum_of(coefficients, beside), of.diagonal[here], u[here]);
}

// Value of the two cells of a low face that counts on the face: the mean, or that of the cell inside an outlet.
INLINE Real on_face(int kind, bool is_first, const Pair& pair) {
    if (kind == OPEN) return mean_of(pair);
    return is_first ? pair.high : pair.low;
}

// What is missing in the velocity through a low face, in m/s2 if it is open and in m/s at an outlet; eq. (V24). `asked`
// is what a finer grid asks for.
INLINE Real missing_on_low_face(const Equations& of, const Fluid& fluid, const Factors& factors, int d, const Indices& at,
                                Real asked) {
    const Layout& layout = of.layout;
    const int64 here = place_of(layout, at), stride = stride_of(layout, d), shift = d * length_of(layout);
    const int kinds[3] = {kind_of(of.kinds[here - stride], d), kind_of(of.kinds[here], d), kind_of(of.kinds[here + stride], d)};
    if (kinds[1] != OPEN && kinds[1] != OUTLET) return Real(0);
    const Real above =
        of.face_velocity[shift + here] - on_face(kinds[1], along(at, d) == 0, pair_at(of.u + shift, here, stride));
    if (kinds[1] == OUTLET) return asked - above;
    const Real(&out)[2] = fluid.outlet_pressure[d];
    const Real p[4] = {of.p[here - 2 * stride], of.p[here - stride], of.p[here], of.p[here + stride]};
    const Three before = {p[0], p[1], p[2], kinds[0], kinds[1], out[0], out[1]};
    const Three after = {p[1], p[2], p[3], kinds[1], kinds[2], out[0], out[1]};
    const Pair gradients = {gradient(before, fluid.inverse_h[d]), gradient(after, fluid.inverse_h[d])};
    const Real relaxed = mean_of(pair_at(of.diagonal, here, stride));
    return missing_on_face(gradients, Pair{p[1], p[2]}, fluid.inverse_h[d], (Real(1) - factors.one_minus_alpha) * relaxed,
                           above, asked);
}

// What a finer grid asks for on a low face, if it is open or an outlet.
INLINE Real asked_on_face(const Equations& of, const Factors& factors, const Real* asked_u, const Real* asked_velocity,
                          int d, const Indices& at) {
    if (factors.last == Real(0)) return Real(0);
    const int64 here = place_of(of.layout, at), stride = stride_of(of.layout, d), shift = d * length_of(of.layout);
    const Pair asked = pair_at(asked_u + shift, here, stride);
    return factors.last *
           (asked_velocity[shift + here] - on_face(kind_of(of.kinds[here], d), along(at, d) == 0, asked));
}
