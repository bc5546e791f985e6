// Adds what a coarser grid's flow has changed; eq. (V26) of docs/src/theory/fvm.md. Twin of `add_correction_of` in
// crates/fvm/src/cpu/coarser.rs.
//
// Of the coarser grid, with one halo cell without edges: coarse_u in m/s and coarse_p in m2/s2 now, begun_u and begun_p
// as it began with. u, p: each thread changes its own cell, but in solids.
#include "fvm/coarser.cuh"

// The correction of a fine cell; `c` is negative for the pressure, which has no value of its own at walls.
INLINE Real correction_at(const Layout& coarser, const unsigned char* kinds, const Real* now, const Real* begun, int c,
                          const Indices& at) {
    const Indices parent = {at.i / 2, at.j / 2, DIRECTIONS == 3 ? at.k / 2 : at.k};
    const int64 here = place_of(coarser, parent);
    const Real own = now[here] - begun[here];
    Real beside[3] = {own, own, own};
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        const bool is_high = along(at, d) & 1;
        const int64 next = is_high ? here + stride_of(coarser, d) : here - stride_of(coarser, d);
        const int kind = kind_of(kinds[is_high ? next : here], d);
        const bool fixes = c >= 0 && (kind == FIXED || (kind == MIRROR && c == d));
        beside[d] = correction_beside(kind == OPEN, fixes, own, now[next] - begun[next]);
    }
    return prolonged(own, beside);
}

KERNEL prolong_flow(const Layout layout, const Layout coarser, const unsigned char* kinds,
                    const unsigned char* coarse_kinds, const Real* coarse_u, const Real* coarse_p, const Real* begun_u,
                    const Real* begun_p, Real* u, Real* p) {
    const Indices at = indices_of_thread();
    if (!is_own(layout, at)) return;
    const int64 here = place_of(layout, at), length = length_of(layout), coarse_length = length_of(coarser);
    if (kinds[here] & SOLID) return;
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) {
        const int64 shift = c * coarse_length;
        u[c * length + here] += correction_at(coarser, coarse_kinds, coarse_u + shift, begun_u + shift, c, at);
    }
    p[here] += correction_at(coarser, coarse_kinds, coarse_p, begun_p, -1, at);
}
