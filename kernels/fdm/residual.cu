// The largest residual of the pressure equation and the largest right-hand side; eq. (F13) of
// docs/src/theory/fdm.md.
//
// red, black: pressures in m2/s2, read with one halo cell, without edges; b_red, b_black:
// right-hand sides in 1/s2; kinds and inverse_diagonals as in relax.cu. reductions: slots RESIDUAL and
// RIGHT_HAND_SIDE are raised, in 1/s2. Each thread looks at an own cell.
#include "fdm/equation.cuh"
#include "fdm/reductions.cuh"

KERNEL residual(const Layout layout, const Sweep sweep, const Real* red, const Real* black,
                const Real* b_red, const Real* b_black, const unsigned char* kinds_red,
                const unsigned char* kinds_black, const Real* inverse_diagonals, Real* reductions) {
    const Equation of = {red,       black,       b_red, b_black,
                         kinds_red, kinds_black, inverse_diagonals};
    Bits most[2] = {0, 0};
    const Indices at = indices_of_thread();
    if (is_own_cell(layout, at)) {
        const Misfit here = misfit_at(layout, sweep, of, cell_at(layout, at.i, at.j, at.k));
        most[0] = larger(most[0], bits_of(here.residual));
        most[1] = larger(most[1], bits_of(here.right_hand_side));
    }
    note(reductions, RESIDUAL, most);
}
