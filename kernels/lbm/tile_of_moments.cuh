// The tile of a block that advances moments: its cells, what it exchanges on chip, and what walls return.
#pragma once
#include "lbm/moments.cuh"

// Where a step goes; mirrored in crates/lbm/src/gpu/march.rs.
struct March {
    int64 from;    // own cell (0, 0, 0) before the step
    int64 to;      // and after it
    int64 plane;   // from one plane to the next
    int64 row;     // from one row to the next
    int walls[6];  // where a face's additions begin, low and high in x, y and z; negative of a face without
    int halo[2];   // whether there are halo cells in x and y; else the cell beyond the last is the first
    int first;     // plane of this launch
    int end;       // behind the last
    int planes;    // of a block
    int unused;
};
static_assert(sizeof(March) == 4 * sizeof(int64) + 12 * sizeof(int), "mirrored in Rust");

// Rows that a block writes; mirrored in crates/lbm/src/gpu/march.rs. Of a row it writes all cells that it reads but for the
// first and the last, which are other tiles', as are the first and the last row that it reads.
constexpr int TILE_Y = sizeof(Real) == 4 ? 10 : 8;
constexpr int TILE_X = LANES - 2;

// Populations that leave their column: all but three. On chip each has a place for every cell of the tile and those beside it,
// beyond a wall for what that returns.
constexpr int ACROSS = Q - 3;
constexpr int WIDE_X = LANES + 2, WIDE = WIDE_X * (TILE_Y + 2), PLANE = ACROSS * WIDE;

// The population that goes straight up.
constexpr int UP = 5;
INLINE bool stays_in_column(int q) { return component(q, 0) == 0 && component(q, 1) == 0; }

// The number of population q among those that do not.
INLINE int across(int q) {
    int before = 0;
#pragma unroll
    for (int other = 1; other < Q; ++other) {
        if (other < q && !stays_in_column(other)) ++before;
    }
    return before;
}

// From where it leaves on chip to where it is looked for.
INLINE int away(int q) { return component(q, 0) + WIDE_X * component(q, 1); }

// A thread's cell of a plane.
struct TileCell {
    int i, j;
    bool is_there;  // else beyond the box
    bool is_own;    // else another tile's
    int64 column;   // place within a plane
    int here;       // on chip
    uint32 sides;   // the ends in x and y that it lies at: a bit each, low and high
};

// The index that a cell has in x or y; `is_there` becomes false beyond an end.
INLINE int wrapped(const Layout& layout, const March& march, int d, int index, bool& is_there) {
    const int n = layout.cells[d];
    const bool is_low = index < 0, is_high = index >= n;
    if ((is_low && (layout.ends[d] & 1)) || (is_high && (layout.ends[d] & 2))) is_there = false;
    if (march.halo[d] || !(is_low | is_high)) return index;
    return is_low ? index + n : index - n;
}

INLINE TileCell cell_of_tile(const Layout& layout, const March& march) {
    TileCell cell;
    const int x = threadIdx.x % LANES, y = threadIdx.x / LANES;
    const bool ends_low = layout.ends[0] & 1, ends_high = layout.ends[0] & 2;
    // At an end in x there is no cell that would have to be another tile's.
    cell.i = static_cast<int>(blockIdx.x) * TILE_X + x - (ends_low ? 0 : 1);
    cell.j = static_cast<int>(blockIdx.y) * TILE_Y + y - 1;
    const bool is_within = x > 0 && x < LANES - 1;
    const bool is_end = (cell.i == 0 && ends_low) || (cell.i == layout.cells[0] - 1 && ends_high && x > 0);
    cell.is_own = (is_within || is_end) && y > 0 && y <= TILE_Y && cell.i < layout.cells[0] && cell.j < layout.cells[1];
    // A cell beyond the last one is read by the cell before it.
    cell.is_there = cell.i <= layout.cells[0] && cell.j <= layout.cells[1];
    const int i = wrapped(layout, march, 0, cell.i, cell.is_there), j = wrapped(layout, march, 1, cell.j, cell.is_there);
    cell.column = cell.is_there ? march.row * j + place_in_row(i, layout.cells[0]) : 0;
    cell.here = x + 1 + WIDE_X * y;
    cell.sides = 0;
    if (cell.i == 0) cell.sides |= layout.ends[0] & 1;
    if (cell.i == layout.cells[0] - 1) cell.sides |= layout.ends[0] & 2;
    if (cell.j == 0) cell.sides |= (layout.ends[1] & 1) << 2;
    if (cell.j == layout.cells[1] - 1) cell.sides |= (layout.ends[1] & 2) << 2;
    return cell;
}

// The moments of a cell.
INLINE void take_moments(const Real* from, Real (&m)[NUMBERS]) {
#pragma unroll
    for (int n = 0; n < NUMBERS; ++n) m[n] = from[n * LANES];
}

// Populations straight along a column, which stay with their thread.
struct Straight {
    Real rest, up, down;
};

// The end from which a wall returns what would come along q in a direction; mirrored in crates/lbm/src/moments/walls.rs.
INLINE int end_behind(int q, int d) { return 2 * d + (component(q, d) > 0 ? 0 : 1); }

// Puts what walls return to a cell of plane k at these ends, a bit each, beyond them, where the cell will look for it: in plane
// k, in the one before or in the next; eq. (L13). The first face counts that a link meets.
INLINE void return_from_walls(const Layout& layout, const March& march, const TileCell& cell, int k, uint32 ends,
                              const Real (&h)[Q], const Real* walls, Real* now, Real* before, Real* next, Straight& of_now,
                              Straight& of_before) {
#pragma unroll
    for (int face = 0; face < 6; ++face) {
        if (!(ends >> face & 1)) continue;
        const int d = face / 2, begin = march.walls[face];
        const int a = d == 0 ? layout.cells[1] : layout.cells[0], b = d == 2 ? layout.cells[1] : layout.cells[2];
        const int in_face = (d == 0 ? cell.j : cell.i) + a * (d == 2 ? cell.j : k);
#pragma unroll
        for (int q = 1; q < Q; ++q) {
            if (component(q, d) == 0 || end_behind(q, d) != face) continue;
            bool is_returned = false;
#pragma unroll
            for (int e = 0; e < d; ++e) {
                if (component(q, e) != 0) is_returned = is_returned | (ends >> end_behind(q, e) & 1);
            }
            if (is_returned) continue;
            Real back = h[opposite(q)];
            if (begin >= 0) back = back + walls[begin + (q - 1) / 2 * (a * b) + in_face];
            if (stays_in_column(q)) {
                // What comes straight down is looked for when the plane above has left, of which there is none.
                (q == UP ? of_before : of_now).up = back;
                continue;
            }
            Real* const plane = component(q, 2) > 0 ? before : component(q, 2) < 0 ? next : now;
            plane[across(q) * WIDE - away(q)] = back;
        }
    }
}
