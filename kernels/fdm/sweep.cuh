// What a sweep of red-black SOR reads; eq. (F6) of docs/src/theory/fdm.md.
#pragma once
#include "fdm/layout.cuh"
#include "fdm/stencil.cuh"

// Numbers of a sweep; mirrored in crates/fdm/src/gpu/numbers.rs.
struct Sweep {
    Real weights[3];   // 1 / h2 in 1/m2
    Real omega, keep;  // over-relaxation and 1 - omega
};
static_assert(sizeof(Sweep) == 5 * sizeof(Real), "mirrored in Rust");

// Rows that follow each other in y and are done by one thread, so that many loads are under way and
// a value between two rows is loaded once. Mirrored in crates/fdm/src/gpu/numbers.rs.
constexpr int ROWS = 4;

// Neighbours' weighted sum less the right-hand side of the cell at `at` of a colour that starts at
// `start`; `other` are the pressures of the other colour.
INLINE Real defect_at(const Layout& layout, const Sweep& sweep, const Real* other, int64 at,
                      int start, Real b) {
    const Real* const beside = other + at;
    const int y = half_stride_of(layout, 1), z = half_stride_of(layout, 2);
    const Real west = beside[start - 1], east = beside[start], south = beside[-y], north = beside[y];
    if (DIRECTIONS == 2) {
        return defect_plane(west, east, south, north, b, sweep.weights[0], sweep.weights[1]);
    }
    return defect(west, east, south, north, beside[-z], beside[z], b, sweep.weights[0],
                  sweep.weights[1], sweep.weights[2]);
}

// What one thread needs to update its cells of one colour: number m of ROWS rows.
struct Column {
    int64 at;  // place of the first
    bool own[ROWS];
    Real before[ROWS], defect[ROWS], inverse_diagonal[ROWS];
};

// Loads a thread's column. Everything is loaded before anything is computed, so that the loads are
// under way together.
INLINE Column column_of_thread(const Layout& layout, const Sweep& sweep, int colour,
                               const Real* mine, const Real* other, const Real* right_hand_side,
                               const unsigned char* kinds, const Real* inverse_diagonals) {
    const int m = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.z;
    const int j = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    const int y = layout.half_row, z = half_stride_of(layout, 2);
    Column column;
    column.at = line_of(layout, j, k) * layout.half_row + m;
    mine += column.at, other += column.at, right_hand_side += column.at, kinds += column.at;
    // Along y, from the row below the first to the row above the last.
    Real along[ROWS + 2], beside[ROWS], bottom[ROWS], top[ROWS], b[ROWS];
    const int first = start_of(layout, colour, j, k);
    const bool in_row = m < layout.half_row && j < layout.cells[1];
    along[0] = in_row ? other[-y] : Real(0);
    along[1] = in_row ? other[0] : Real(0);
    for (int r = 0; r < ROWS; ++r) {
        const bool inside = in_row && j + r < layout.cells[1];
        const int start = first ^ (r & 1);
        column.own[r] = inside && is_own(layout, m, start);
        along[r + 2] = inside ? other[(r + 1) * y] : Real(0);
        if (!column.own[r]) continue;
        beside[r] = other[r * y + (start == 0 ? -1 : 1)];
        if (DIRECTIONS == 3) bottom[r] = other[r * y - z], top[r] = other[r * y + z];
        b[r] = right_hand_side[r * y];
        column.before[r] = mine[r * y];
        column.inverse_diagonal[r] = inverse_diagonals[kinds[r * y]];
    }
    for (int r = 0; r < ROWS; ++r) {
        if (!column.own[r]) continue;
        const bool from_low = (first ^ (r & 1)) == 0;
        const Real west = from_low ? beside[r] : along[r + 1];
        const Real east = from_low ? along[r + 1] : beside[r];
        const Real south = along[r], north = along[r + 2];
        column.defect[r] =
            DIRECTIONS == 2
                ? defect_plane(west, east, south, north, b[r], sweep.weights[0], sweep.weights[1])
                : defect(west, east, south, north, bottom[r], top[r], b[r], sweep.weights[0],
                         sweep.weights[1], sweep.weights[2]);
    }
    return column;
}

// The update of the column's row r.
INLINE Real relaxed_row(const Column& column, const Sweep& sweep, int r) {
    return relaxed(column.before[r], column.inverse_diagonal[r], column.defect[r], sweep.omega,
                   sweep.keep);
}
