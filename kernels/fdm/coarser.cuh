// Between a grid and the next coarser one of a cycle; eqs. (F23) to (F25) of docs/src/theory/fdm.md. Twin of
// crates/fdm/src/cpu/coarser.rs.
#pragma once
#include "fdm/layout.cuh"
#include "fdm/stencil.cuh"
#include "children.cuh"

// Place of a cell, or of its low faces, in padded fields.
INLINE int64 place_of(const Layout& layout, const Indices& at) {
    return line_of(layout, at.j, at.k) * layout.row + at.i + 1;
}

// What has changed on the coarser grid at the face of a component `a` of a finer one. now, begun: the coarser grid's
// velocity of that component, read in own cells and the halo around them.
INLINE Real correction_at(const Layout& coarser, const Real* now, const Real* begun, int a, const Indices& at) {
    const int own[3] = {at.i, at.j, at.k};
    const Indices parent = {at.i / 2, at.j / 2, DIRECTIONS == 3 ? at.k / 2 : at.k};
    const int64 low = place_of(coarser, parent);
    const auto change = [&](int64 place) { return now[place] - begun[place]; };
    const auto on_face = [&](int64 place) {
        Real beside[3] = {Real(0), Real(0), Real(0)};
#pragma unroll
        for (int d = 0; d < DIRECTIONS; ++d) {
            const int stride = stride_of(coarser, d);
            if (d != a) beside[d] = change(own[d] & 1 ? place + stride : place - stride) - change(place);
        }
        return prolonged(change(place), beside);
    };
    const bool is_between = own[a] & 1;
    return is_between ? Real(0.5) * (on_face(low) + on_face(low + stride_of(coarser, a))) : on_face(low);
}
