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

// The misfit of an own cell.
INLINE Misfit misfit_at(const Layout& layout, const Sweep& sweep, const Equation& of,
                        const Cell& cell) {
    const bool is_red = cell.is_red;
    const int64 at = cell.half;
    const Real d = of.inverse_diagonals[(is_red ? of.kinds_red : of.kinds_black)[at]];
    const Real b = (is_red ? of.b_red : of.b_black)[at];
    const Real p = (is_red ? of.red : of.black)[at];
    const Real around = defect_at(layout, sweep, is_red ? of.black : of.red, at, cell.start, b);
    if (!(d > Real(0))) return {Real(0), Real(0)};
    return {around - p / d, b};
}
