// The pressure equation of both colours as multigrid sees it: A x = b with b = -(right-hand side);
// eq. (F5) of docs/src/theory/fdm.md, in double precision whatever the flow is computed in.
//
// red, black: pressures in m2/s2; b_red, b_black: right-hand sides in 1/s2; kinds and
// inverse_diagonals as in relax.cu. x in m2/s2 and b in 1/s2, padded rows: each thread writes those of
// one own cell; b is zero in solids, where there is no equation. No halo is read.
#include "fdm/equation.cuh"

KERNEL take_equation(const Layout layout, const Real* red, const Real* black, const Real* b_red,
                     const Real* b_black, const unsigned char* kinds_red,
                     const unsigned char* kinds_black, const Real* inverse_diagonals, double* x,
                     double* b) {
    const Indices at = indices_of_thread();
    if (!is_own_cell(layout, at)) return;
    const Cell cell = cell_at(layout, at.i, at.j, at.k);
    const Real d = inverse_diagonals[(cell.is_red ? kinds_red : kinds_black)[cell.half]];
    x[cell.whole] = (cell.is_red ? red : black)[cell.half];
    b[cell.whole] = d > Real(0) ? -double((cell.is_red ? b_red : b_black)[cell.half]) : 0.0;
}
