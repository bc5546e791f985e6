// Where the cells of a level lie: twin of `Shape` in crates/core/src/field.rs, for arrays that hold
// one level after the other.
#pragma once
#include "device.cuh"

// The cells of a rank on one level, in padded rows; mirrored in crates/linear/src/gpu/mirrors.rs.
struct Layout {
    int64 first;   // place of the level's first value in arrays that hold all levels
    int cells[3];  // own cells in x, y and z
    int halo[3];   // halo cells on each side
    int row;       // values of a padded row
    int rows;      // padded rows of a plane
    int origin;    // parity of the global indices of cell (0, 0, 0)
    int wraps;     // bits of periodic directions whose halo is written with the cells, see put
};
static_assert(sizeof(Layout) == 8 + 10 * sizeof(int), "mirrored in Rust");

// Values of an array on this level.
INLINE int64 length_of(const Layout& layout) {
    return static_cast<int64>(layout.row) * layout.rows * (layout.cells[2] + 2 * layout.halo[2]);
}

// Distance in memory of neighbours in direction d.
INLINE int64 stride_of(const Layout& layout, int d) {
    return d == 0 ? 1 : d == 1 ? layout.row : static_cast<int64>(layout.row) * layout.rows;
}

// Numbers of a cell along x, y and z; those of own cells begin at 0.
struct Indices {
    int i, j, k;
};

// Place of a cell, counted from the level's first value.
INLINE int64 place_of(const Layout& layout, const Indices& at) {
    const int64 line = (at.j + layout.halo[1]) +
                       static_cast<int64>(layout.rows) * (at.k + layout.halo[2]);
    return line * layout.row + (at.i + layout.halo[0]);
}

// Number of a cell along direction d.
INLINE int along(const Indices& at, int d) { return d == 0 ? at.i : d == 1 ? at.j : at.k; }

// Numbers of this thread along x, y and z.
INLINE Indices indices_of_thread() {
    return {static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
            static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y),
            static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z)};
}

// Whether a cell, whose numbers are not negative, is an own one.
INLINE bool is_own(const Layout& layout, const Indices& at) {
    return at.i < layout.cells[0] && at.j < layout.cells[1] && at.k < layout.cells[2];
}

// The first own cell of a colour in the row of (j, k): 0 or 1. Cells of colour 0 have global indices
// with an even sum.
INLINE int first_of(const Layout& layout, int colour, int j, int k) {
    return (layout.origin + j + k + colour) & 1;
}

// Place in arrays in halves of a value of a padded row, of a cell, and of what has this place elsewhere: there every second value of a row lies before the others, so that what
// a half-sweep reads lies side by side. Twin of `place_in_halves` in crates/linear/src/gpu/mirrors.rs.
INLINE int64 place_in_halves(const Layout& layout, int64 line, int in_row) {
    return line * layout.row + (in_row & 1) * ((layout.row + 1) / 2) + in_row / 2;
}
INLINE int64 place_in_halves(const Layout& layout, const Indices& at) {
    const int64 line = (at.j + layout.halo[1]) +
                       static_cast<int64>(layout.rows) * (at.k + layout.halo[2]);
    return place_in_halves(layout, line, at.i + layout.halo[0]);
}
INLINE int64 place_in_halves(const Layout& layout, int64 place) {
    return place_in_halves(layout, place / layout.row, static_cast<int>(place % layout.row));
}

// Writes an own cell, and the halo cells that stand for it in periodic directions that one rank has for
// itself. With an odd number of cells around two cells of a colour would be neighbours, and see new
// values of each other: such levels do not say `wraps`.
INLINE void put(const Layout& layout, const Indices& at, Real* array, int64 here, Real value) {
    array[here] = value;
    if (layout.wraps == 0) return;
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        if (!(layout.wraps >> d & 1)) continue;
        const int64 around = layout.cells[d] * stride_of(layout, d);
        if (along(at, d) == 0) array[here + around] = value;
        if (along(at, d) + 1 == layout.cells[d]) array[here - around] = value;
    }
}

// The same of an array in halves.
INLINE void put_in_halves(const Layout& layout, const Indices& at, Real* array, int64 here, Real value) {
    array[here] = value;
    if (layout.wraps == 0) return;
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        if (!(layout.wraps >> d & 1)) continue;
        const int n = layout.cells[d];
        const int around = along(at, d) == 0 ? n : along(at, d) + 1 == n ? -n : 0;
        if (around == 0) continue;
        array[place_in_halves(layout, {at.i + (d == 0) * around, at.j + (d == 1) * around, at.k + (d == 2) * around})] = value;
    }
}

// Goes on by as many cells in the last direction as the launch has threads there.
INLINE void advance(Indices& at) {
    if (DIRECTIONS == 2) at.j += blockDim.y * gridDim.y;
    if (DIRECTIONS == 3) at.k += blockDim.z * gridDim.z;
}
