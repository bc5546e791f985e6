// How well a cell's pressure satisfies its equation; eq. (F13) of docs/src/theory/fdm.md.
#pragma once
#include "fdm/sweep.cuh"

// Pressures and right-hand sides of both colours, and what their cells are.
struct Equation {
    const Real *red, *black;      // m2/s2
    const Real *b_red, *b_black;  // 1/s2
    const unsigned char *kinds_red, *kinds_black;
    const Real* inverse_diagonals;  // m2, by kind
};

// Residual and right-hand side of a cell in 1/s2; nothing in solids, where there is no equation.
struct Misfit {
    Real residual, right_hand_side;
};

// The misfit of the cell at `at` of a colour that starts at `start`.
INLINE Misfit misfit_at(const Layout& layout, const Sweep& sweep, const Equation& of, bool is_red,
                        int64 at, int start) {
    const Real d = of.inverse_diagonals[(is_red ? of.kinds_red : of.kinds_black)[at]];
    if (!(d > Real(0))) return {Real(0), Real(0)};
    const Real b = (is_red ? of.b_red : of.b_black)[at];
    const Real p = (is_red ? of.red : of.black)[at];
    return {defect_at(layout, sweep, is_red ? of.black : of.red, at, start, b) - p / d, b};
}
