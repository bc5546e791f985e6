// One colour of red-black SOR as in relax.cu, and the largest change of a pressure in it; eqs. (F6),
// (F13) of docs/src/theory/fdm.md.
//
// Arrays are those of relax.cu. found: slot PRESSURE_CHANGE is raised, in m2/s2.
#include "fdm/found.cuh"
#include "fdm/sweep.cuh"

KERNEL relax_and_measure(const Layout layout, const Sweep sweep, const int colour, Real* mine,
                         const Real* other, const Real* right_hand_side,
                         const unsigned char* kinds, const Real* inverse_diagonals, Real* found) {
    const Column column = column_of_thread(layout, sweep, colour, mine, other, right_hand_side,
                                           kinds, inverse_diagonals);
    Bits most = 0;
    for (int r = 0; r < ROWS; ++r) {
        if (!column.own[r]) continue;
        const Real after = relaxed_row(column, sweep, r);
        mine[column.at + r * layout.half_row] = after;
        most = larger(most, bits_of(after - column.before[r]));
    }
    note(found, PRESSURE_CHANGE, most);
}
