// Buoyancy in one component of the prediction; eq. (H8) of docs/src/theory/heat.md.
//
// theta in K, relative to the reference, at cell centres, padded rows with LAYERS of halo, is read with one layer on the
// low side of the direction. f in m/s on low faces, padded rows: each thread changes the face of one own cell, unless its
// velocity is prescribed.
#include "fdm/temperature.cuh"

KERNEL add_buoyancy(const Layout layout, const Interval* interval, const int direction,
                    const unsigned char* faces, const Real* theta, Real* f) {
    const Indices at = indices_of_thread();
    if (!is_own_cell(layout, at)) return;
    const int64 place = thermal_place(layout, at), face = cell_at(layout, at.i, at.j, at.k).whole;
    const unsigned char flags = faces[face];
    if (!is_free(flags, direction)) return;
    const Real before = theta[place - thermal_stride_of(layout, direction)], here = theta[place];
    f[face] += is_open(flags, direction) * (interval->lift[direction] * (before + here));
}
