// Velocity corrected by the pressure gradient; eq. (F8) of docs/src/theory/fdm.md.
//
// red, black: pressures in m2/s2, read with the halo cells on the low sides, without edges. f, g, h,
// u, v, w in m/s on low faces, padded rows. Each thread writes the faces of a pair of own cells,
// except those with prescribed velocities. found: slots SPEED and the two after it, one for each
// component, and CHANGE are raised, in m/s.
#include "fdm/layout.cuh"
#include "fdm/found.cuh"
#include "fdm/interval.cuh"
#include "fdm/stencil.cuh"

KERNEL project(const Layout layout, const Interval* interval, const unsigned char* faces,
               const Real* red, const Real* black, const Real* f, const Real* g, const Real* h,
               Real* u, Real* v, Real* w, Real* found) {
    const Pair pair = pair_of_thread(layout);
    const Real* const prediction[3] = {f + pair.whole, g + pair.whole, h + pair.whole};
    Real* const velocity[3] = {u + pair.whole, v + pair.whole, w + pair.whole};
    Bits speed[3] = {0, 0, 0}, change = 0;
    for (int side = 0; side < 2; ++side) {
        if (!pair.own[side]) continue;
        const bool is_red = pair.first == side;
        const Real here = (is_red ? red : black)[pair.half];
        const Real* const other = (is_red ? black : red) + pair.half;
        const unsigned char flags = faces[pair.whole + side];
        for (int d = 0; d < DIRECTIONS; ++d) {
            const Real before = d == 0 ? other[side - 1] : other[-half_stride_of(layout, d)];
            const Real open = is_open(flags, d);
            const Real f_here = prediction[d][side];
            const Real after = projected(f_here, before, here, interval->dt_h[d], open);
            change = larger(change, bits_of(open * (after - velocity[d][side])));
            speed[d] = larger(speed[d], bits_of(after));
            if (is_free(flags, d)) velocity[d][side] = after;
        }
    }
    for (int d = 0; d < DIRECTIONS; ++d) note(found, SPEED + d, speed[d]);
    note(found, CHANGE, change);
}
