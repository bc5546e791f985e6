// One colour of red-black SOR over the rows of a subdomain, or some of them; eq. (F6) of docs/src/theory/fdm.md.
//
// mine, other: pressures in m2/s2 of the cells of this colour and of the other one; other is read
// with one halo cell, without edges. right_hand_side in 1/s2 and kinds: those of this colour.
// inverse_diagonals in m2, by kind. Each thread writes FEW cells of mine that lie beside each other.
#include "fdm/sweep.cuh"

KERNEL relax(const Layout layout, const Rows rows, const Sweep sweep, const int colour, Real* mine,
             const Real* other, const Real* right_hand_side, const unsigned char* kinds,
             const Real* inverse_diagonals) {
    const Indices indices = indices_in(layout, rows);
    if (!is_few(layout, indices)) return;
    put(relaxed_patch(layout, sweep, colour, indices, mine, other, right_hand_side, kinds,
                      inverse_diagonals),
        mine);
}
