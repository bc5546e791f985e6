// The arithmetic of the linear algebra on single values: twin of crates/linear/src/stencil.rs, with the
// same order of operations, so that both give the same bits.
#pragma once
#include "device.cuh"

// The sides of a cell, low and high of each direction: west, east, south, north, bottom, top.
constexpr int SIDES = 2 * DIRECTIONS;

// Coefficients times neighbours.
INLINE Real sum_of(const Real (&c)[SIDES], const Real (&x)[SIDES]) {
    Real sum = (c[0] * x[0] + c[1] * x[1]) + (c[2] * x[2] + c[3] * x[3]);
    if (DIRECTIONS == 3) sum = sum + (c[SIDES - 2] * x[SIDES - 2] + c[SIDES - 1] * x[SIDES - 1]);
    return sum;
}

// Sum of the coefficients.
INLINE Real diagonal_of(const Real (&c)[SIDES]) {
    Real sum = (c[0] + c[1]) + (c[2] + c[3]);
    if (DIRECTIONS == 3) sum = sum + (c[SIDES - 2] + c[SIDES - 1]);
    return sum;
}

// One over the diagonal; 0 in a cell without neighbours, which stays at rest.
INLINE Real inverse_of(Real diagonal) { return diagonal == Real(0) ? Real(0) : Real(1) / diagonal; }

// The value that satisfies a cell's equation.
INLINE Real relaxed(Real inverse, Real b, Real sum) { return inverse * (b + sum); }

// A value that goes part of the way, or further.
INLINE Real weighted(Real x, Real omega, Real relaxed) { return x + omega * (relaxed - x); }

// b - A x in a cell.
INLINE Real residual_of(Real b, Real sum, Real diagonal, Real x) {
    return (b + sum) - diagonal * x;
}

// A x in a cell.
INLINE Real product_of(Real diagonal, Real x, Real sum) { return diagonal * x - sum; }

// y + a x.
INLINE Real axpy(Real a, Real x, Real y) { return y + a * x; }

// The next direction of BiCGSTAB.
INLINE Real direction(Real r, Real beta, Real p, Real omega, Real v) {
    return r + beta * (p - omega * v);
}
