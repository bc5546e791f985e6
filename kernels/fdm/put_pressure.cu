// The solution of the pressure equation as pressures of both colours; eq. (F5) of
// docs/src/theory/fdm.md.
//
// x in m2/s2, padded rows, is read in own cells; red, black: each thread writes the pressure of one own
// cell in m2/s2, rounded to the flow's precision.
#include "fdm/layout.cuh"

KERNEL put_pressure(const Layout layout, const double* x, Real* red, Real* black) {
    const Indices at = indices_of_thread();
    if (!is_own_cell(layout, at)) return;
    const Cell cell = cell_at(layout, at.i, at.j, at.k);
    (cell.is_red ? red : black)[cell.half] = Real(x[cell.whole]);
}
