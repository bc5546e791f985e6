// The solution of a momentum equation, in terms of its change; eq. (V8) of docs/src/theory/fvm.md. Twin
// of `bicgstab` in crates/fvm/src/cpu/momentum.rs.
//
// correction in m/s, in halves or not, see place_in_halves; u in m/s: each thread changes one component of one own cell. So are
// scalars corrected.
#include "linear/layout.cuh"
#include "linear/stencil.cuh"

KERNEL add_correction(const Layout layout, const int component, const int is_in_halves, const Real* correction,
                      Real* u) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at)) return;
    const int64 here = place_of(layout, at);
    Real* const mine = u + component * length_of(layout);
    mine[here] = axpy(Real(1), correction[is_in_halves ? place_in_halves(layout, at) : here], mine[here]);
}
