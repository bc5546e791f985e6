// Where the values of a subdomain lie: twin of Shape in crates/core/src/field.rs (velocities,
// predictions) and of crates/fdm/src/colours.rs (pressure, right-hand side).
#pragma once
#include "device.cuh"

// Sizes of a subdomain; mirrored in crates/fdm/src/gpu/numbers.rs. Padded rows have one halo cell
// at each end, and there is one halo row on each side in y.
struct Layout {
    int cells[3];  // own cells in x, y and z
    int row;       // values of a padded row
    int half_row;  // values of one colour in a padded row
    int rows;      // padded rows of a plane
    int halo;      // halo planes on each side in z: 0 in plane flows, else 1
    int origin;    // parity of the global indices of cell (0, 0, 0)
};
static_assert(sizeof(Layout) == 8 * sizeof(int), "mirrored in Rust");

// Number of the padded row with own indices j and k.
INLINE int64 line_of(const Layout& layout, int j, int k) {
    return (j + 1) + static_cast<int64>(layout.rows) * (k + layout.halo);
}

// Distance in memory of neighbours in direction d, in padded rows and in rows of one colour. Along x
// the latter is of no use: see start_of.
INLINE int stride_of(const Layout& layout, int d) {
    return d == 0 ? 1 : d == 1 ? layout.row : layout.row * layout.rows;
}
INLINE int half_stride_of(const Layout& layout, int d) {
    return d == 1 ? layout.half_row : layout.half_row * layout.rows;
}

// Padded position, 0 or 1, of the first cell of a colour in a row: cell m of the row is at padded
// position 2 m + start, so its western neighbour is number m - 1 + start of the other colour and its
// eastern one number m + start.
INLINE int start_of(const Layout& layout, int colour, int j, int k) {
    return (colour + layout.origin + 1 + j + k) & 1;
}

// Whether cell m of a colour that starts at `start` is an own one.
INLINE bool is_own(const Layout& layout, int m, int start) {
    const int position = 2 * m + start;
    return position >= 1 && position <= layout.cells[0];
}

// A cell in padded fields and among the cells of its colour.
struct Cell {
    int64 whole, half;  // places
    int start;          // parity of its padded position, see start_of
    bool is_red;
};

// The own cell (i, j, k).
INLINE Cell cell_at(const Layout& layout, int i, int j, int k) {
    const int64 line = line_of(layout, j, k);
    const int position = i + 1, start = position & 1;
    return {line * layout.row + position, line * layout.half_row + position / 2, start,
            start_of(layout, 0, j, k) == start};
}

// Numbers of this thread along x, y and z.
struct Indices {
    int i, j, k;
};
INLINE Indices indices_of_thread() {
    return {static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
            static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y),
            static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z)};
}

// Rows that a launch does: `count` of them from `first` on, `step` apart, in y and z.
struct Rows {
    int first[2], step[2], count[2];
};
static_assert(sizeof(Rows) == 6 * sizeof(int), "mirrored in Rust");

// Numbers of this thread along x, and in the rows of a launch; a row beyond the last for threads that
// are left.
INLINE Indices indices_in(const Layout& layout, const Rows& rows) {
    const Indices at = indices_of_thread();
    if (at.j >= rows.count[0] || at.k >= rows.count[1]) return {at.i, layout.cells[1], at.k};
    return {at.i, rows.first[0] + rows.step[0] * at.j, rows.first[1] + rows.step[1] * at.k};
}

// The direction of the longest distances in memory.
constexpr int LAST = DIRECTIONS - 1;

// The first of so many cells that follow each other in direction LAST, this thread's column in a launch with one thread for
// each column.
INLINE Indices first_of(int cells) {
    Indices first = indices_of_thread();
    (LAST == 1 ? first.j : first.k) *= cells;
    return first;
}

// How many of them are own ones.
INLINE int length_from(const Layout& layout, const Indices& first, int cells) {
    return min(layout.cells[LAST] - (LAST == 1 ? first.j : first.k), cells);
}

// Goes on by as many cells in direction LAST as the launch has threads there.
INLINE void advance(Indices& at) {
    (LAST == 1 ? at.j : at.k) += LAST == 1 ? blockDim.y * gridDim.y : blockDim.z * gridDim.z;
}

// Whether there is an own cell in row (j, k), and whether cell (i, j, k) is one; numbers are not
// negative.
INLINE bool is_own_row(const Layout& layout, int j, int k) {
    return j < layout.cells[1] && k < layout.cells[2];
}
INLINE bool is_own_cell(const Layout& layout, const Indices& at) {
    return at.i < layout.cells[0] && is_own_row(layout, at.j, at.k);
}

// Which faces of a cell lie in the flow (bits 0 to 2, one for each direction) and which of them have
// prescribed velocities, so that nothing else is written there (bits 4 to 6).
INLINE Real is_open(unsigned char faces, int direction) { return Real(faces >> direction & 1); }
INLINE bool is_free(unsigned char faces, int direction) { return !(faces >> (4 + direction) & 1); }
