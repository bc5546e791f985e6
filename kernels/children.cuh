// Where fine cells and faces lie below those of a grid of half as many cells in each direction. Twin of
// crates/core/src/coarsening.rs. Comes after a header with Indices and Layout.
#pragma once
#include "device.cuh"

// The first child of a coarse cell.
INLINE Indices first_child_of(const Indices& coarse) {
    return {2 * coarse.i, 2 * coarse.j, DIRECTIONS == 3 ? 2 * coarse.k : coarse.k};
}
INLINE Indices child_of(const Indices& first, int i, int j, int k) { return {first.i + i, first.j + j, first.k + k}; }

// Mean over the children of a coarse cell, of which this is the first.
template <class Value> INLINE Real mean_of_children(const Indices& first, const Value& value) {
    const auto pair = [&](int j, int k) { return value(child_of(first, 0, j, k)) + value(child_of(first, 1, j, k)); };
    const auto plane = [&](int k) { return pair(0, k) + pair(1, k); };
    return DIRECTIONS == 2 ? Real(0.25) * plane(0) : Real(0.125) * (plane(0) + plane(1));
}

// The same over those fine low faces across direction d that are parts of the cell's low face.
template <class Value> INLINE Real mean_on_face(const Indices& first, int d, const Value& value) {
    const auto pair = [&](int then) {
        const Indices low = child_of(first, 0, d == 2 ? then : 0, d == 2 ? 0 : then);
        return value(low) + value(child_of(low, d == 0 ? 0 : 1, d == 0 ? 1 : 0, 0));
    };
    return DIRECTIONS == 2 ? Real(0.5) * pair(0) : Real(0.25) * (pair(0) + pair(1));
}

// Does something on the low faces of a cell, and on the high ones of the last cells.
template <class Do> INLINE void on_faces_of(const Layout& layout, const Indices& at, const Do& something) {
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        something(d, at);
        if ((d == 0 ? at.i : d == 1 ? at.j : at.k) + 1 == layout.cells[d]) something(d, Indices{at.i + (d == 0), at.j + (d == 1), at.k + (d == 2)});
    }
}
