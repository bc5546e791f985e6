// The coarser grid's pressure: means; eq. (F24) of docs/src/theory/fdm.md.
//
// red, black: pressures in m2/s2, own cells are read. coarse_red, coarse_black: each thread writes its own cell of the
// coarser grid.
#include "fdm/coarser.cuh"

KERNEL restrict_pressure(const Layout layout, const Layout coarser, const Real* red, const Real* black,
                         Real* coarse_red, Real* coarse_black) {
    const Indices at = indices_of_thread();
    if (!is_own_cell(coarser, at)) return;
    const Cell cell = cell_at(coarser, at.i, at.j, at.k);
    (cell.is_red ? coarse_red : coarse_black)[cell.half] =
        mean_of_children(first_child_of(at), [&](const Indices& child) {
            const Cell below = cell_at(layout, child.i, child.j, child.k);
            return (below.is_red ? red : black)[below.half];
        });
}
