// One colour of red-black SOR as in relax.cu, and the largest change of a pressure in it; eqs. (F6),
// (F13) of docs/src/theory/fdm.md.
//
// Arrays are those of relax.cu; each thread goes on in direction LAST. reductions: slot PRESSURE_CHANGE is raised, in m2/s2.
#include "fdm/reductions.cuh"
#include "fdm/sweep.cuh"

KERNEL relax_and_measure(const Layout layout, const Sweep sweep, const int colour, Real* mine,
                         const Real* other, const Real* right_hand_side,
                         const unsigned char* kinds, const Real* inverse_diagonals, Real* reductions) {
    Bits most[1] = {0};
    for (Indices at = indices_of_thread(); is_few(layout, at); advance(at)) {
        const Patch patch = relaxed_patch(layout, sweep, colour, at, mine, other, right_hand_side,
                                          kinds, inverse_diagonals);
        put(patch, mine);
        for (int n = 0; n < FEW; ++n) {
            most[0] = larger(most[0], bits_of(patch.after.at[n] - patch.before.at[n]));
        }
    }
    note(reductions, PRESSURE_CHANGE, most);
}
