// Red-black SOR on a tile as in tile.cuh, with each thread's cells in registers; eq. (F6).
#pragma once
#include "fdm/resident/numbers.cuh"

// Rows of which a thread holds its pair of cells: as few as the tile needs, if its
// size is known to the compiler. Those of a large tile leave no registers for right-hand sides.
#ifndef KEPT
#define KEPT 16
#endif
constexpr bool HOLDS_LOADS = KEPT * sizeof(Real) <= 64, HOLDS_DIAGONALS = sizeof(Real) == 4 && HOLDS_LOADS;

// Bits from `low` to before `high`.
INLINE uint32 bits_between(int low, int high) {
    const auto below = [](int n) { return n >= 32 ? 0xffffffffu : n <= 0 ? 0u : (1u << n) - 1; };
    return below(high) & ~below(low);
}

// A thread's pairs of cells, one red and one black in each of KEPT rows.
struct Pairs {
    Real value[2][KEPT], load[2][HOLDS_LOADS ? KEPT : 1];
    uint32 kinds[2][(KEPT + 3) / 4];
    Real inverse[2][HOLDS_DIAGONALS ? KEPT : 1];
    uint32 live[2];  // bits of the rows whose cell of that colour lies in the grid
    // Of the two columns, if all rows are alike: that of the first row's red cell and that of its black one.
    Real inverse_diagonals[2];
    bool lives[2];
};

// One colour of a thread's pairs. All rows are computed, only cells in the grid are written. Cells
// whose neighbours lie outside the tile go wrong, and from half-sweep to half-sweep those one cell
// further in: the margin is wide enough for that. `at` is the first row's pair in red, `loads` its
// right-hand side; `side` tells for even and odd rows where the neighbour in x lies that is not in the
// pair. ALIKE: all rows of the warp are.
template <int COLOUR, bool ALIKE>
INLINE void half_sweep_in_registers(Real* at, const Real* loads, int row_length, const int (&side)[2],
                            const Real* inverse_diagonal, const Weights& w, Pairs& mine) {
    constexpr int OTHER = 1 - COLOUR;
    const Real* const other = at + OTHER * (row_length / 2);
    const Real* const turns[2] = {other + side[0], other + side[1]};
    Real beside[KEPT];
#pragma unroll
    for (int r = 0; r < KEPT; ++r) beside[r] = turns[r & 1][r * row_length];
    Real below = other[-row_length], above = other[KEPT * row_length];
    at_once(beside);
    at_once(below);
    at_once(above);
    Real* const written = at + COLOUR * (row_length / 2);
    if (!ALIKE) {
        opaque(mine.live[COLOUR]);
        for (uint32& four : mine.kinds[COLOUR]) opaque(four);
    }
#pragma unroll
    for (int r = 0; r < KEPT; ++r) {
        const Real south = r > 0 ? mine.value[OTHER][r > 0 ? r - 1 : 0] : below;
        const Real north = r + 1 < KEPT ? mine.value[OTHER][r + 1 < KEPT ? r + 1 : r] : above;
        // West and east are this pair's other cell and the one beside it, in either order.
        const Real load = HOLDS_LOADS ? mine.load[COLOUR][HOLDS_LOADS ? r : 0]
                                      : loads[r * row_length + COLOUR * (row_length / 2)];
        const Real gap = defect_plane(mine.value[OTHER][r], beside[r], south, north, load,
                                      w.inverse_h2[0], w.inverse_h2[1]);
        const int column = (r + COLOUR) & 1;
        const Real d = ALIKE ? mine.inverse_diagonals[column]
                             : HOLDS_DIAGONALS ? mine.inverse[COLOUR][HOLDS_DIAGONALS ? r : 0]
                             : inverse_diagonal[mine.kinds[COLOUR][r / 4] >> 8 * (r % 4) & 63];
        const Real after = relaxed(mine.value[COLOUR][r], d, gap, w.omega, w.keep);
        if (ALIKE ? mine.lives[column] : (mine.live[COLOUR] >> r & 1) != 0) {
            mine.value[COLOUR][r] = after;
            written[r * row_length] = after;
        }
    }
}

// Where the threads of a block work on a tile, and which of its cells lie in the grid.
struct Field {
    int row_length, rows;  // of the tile
    int low[2], high[2];   // cells in the grid, counted from the tile's first
    int parity;            // colour of the tile's first cell
};

INLINE Field field_of(const Tiling& t, const Place& here) {
    return {t.extent[0],
            t.extent[1],
            {max(-here.first[0], 0), max(-here.first[1], 0)},
            {min(t.cells[0] - here.first[0], t.extent[0]),
             min(t.cells[1] - here.first[1], t.extent[1])},
            t.parity};
}

// What a thread works on in `sweeps_in_registers`.
struct Share {
    int m, first;  // pair in its row, first of KEPT rows
    bool works;
    uint32 live[2];
};

INLINE Share share_of_thread(const Field& tile) {
    const int half = row_length_of(tile.row_length) / 2, across = (half + 31) / 32;
    const int band = warp() / across * KEPT;
    Share mine;
    // Threads beyond the end of a row do the same as its last one, and rows beyond the last one are
    // done by two threads alike; a band that has none does nothing.
    mine.works = band < tile.rows;
    mine.first = mine.works ? min(band, tile.rows - KEPT) : 0;
    mine.m = min(warp() % across * 32 + lane(), half - 1);
    const uint32 rows =
        mine.works ? bits_between(tile.low[1] - mine.first, min(tile.high[1] - mine.first, KEPT)) : 0;
    const int column = 2 * mine.m;
    const uint32 even = column >= tile.low[0] && column < tile.high[0] ? 0xffffffffu : 0;
    const uint32 odd = column + 1 >= tile.low[0] && column + 1 < tile.high[0] ? 0xffffffffu : 0;
    // Rows start with a colour at an even and at an odd place by turns.
    const uint32 turn = (mine.first + tile.parity) & 1 ? 0xaaaaaaaau : 0x55555555u;
    mine.live[0] = rows & ((turn & even) | (~turn & odd));
    mine.live[1] = rows & ((turn & odd) | (~turn & even));
    return mine;
}

// Whether all rows of a warp are alike: their cells of a column in the grid or not, with the same inverse diagonal.
APART bool are_rows_alike(Field tile) {
    if (HOLDS_DIAGONALS) return false;  // nothing depends on it
    SHARED(Board, board);
    const unsigned char* const kind = cells_of(board, tile.row_length * tile.rows).kind;
    const Share mine = share_of_thread(tile);
    const int row_length = row_length_of(tile.row_length), at = mine.first * row_length + mine.m;
    bool alike = mine.works;
#pragma unroll
    for (int n = 0; n < 2 * KEPT; ++n) {
        const int r = n / 2, colour = n % 2, column = (r + colour) & 1;
        const int here = at + r * row_length + colour * (row_length / 2), first = at + column * (row_length / 2);
        alike = alike && ((kind[here] ^ kind[first]) & 63) == 0 && (mine.live[colour] >> r & 1) == (mine.live[column] & 1);
    }
    return whole_warp(alike);
}

// Iterations of red-black SOR with each thread's cells in registers. The block has enough threads
// for KEPT rows each, the tile has no fewer, and a row of some numbers lies before and behind p.
// Afterwards pressures are right on the cells whose distance from the tile's edge is more than two an
// iteration.
APART void sweeps_in_registers(Field tile, bool alike, int iterations, Weights w) {
    SHARED(Board, board);
    const Cells cells = cells_of(board, tile.row_length * tile.rows);
    const Real* const inverse_diagonal = board->inverse_diagonal;
    const int row_length = row_length_of(tile.row_length), half = row_length / 2;
    const Share share = share_of_thread(tile);
    const int base = share.first * row_length + share.m;
    Pairs mine;
#pragma unroll
    for (int colour = 0; colour < 2; ++colour) {
        mine.live[colour] = share.live[colour];
        mine.lives[colour] = (share.live[colour] & 1) != 0;
        mine.inverse_diagonals[colour] = inverse_diagonal[cells.kind[base + colour * half] & 63];
#pragma unroll
        for (int r = 0; r < KEPT; ++r) {
            const int at = base + r * row_length + colour * half;
            mine.value[colour][r] = cells.p[at];
            if (HOLDS_LOADS) mine.load[colour][HOLDS_LOADS ? r : 0] = cells.b[at];
            if (r % 4 == 0) mine.kinds[colour][r / 4] = 0;
            if (HOLDS_DIAGONALS) mine.inverse[colour][HOLDS_DIAGONALS ? r : 0] = inverse_diagonal[cells.kind[at] & 63];
            else if (!alike && (share.live[colour] >> r & 1)) {
                mine.kinds[colour][r / 4] |= static_cast<uint32>(cells.kind[at] & 63) << 8 * (r % 4);
            }
        }
    }
    const int west = share.m > 0 ? -1 : 0, east = share.m + 1 < half ? 1 : 0;
    const bool odd = (share.first + tile.parity) & 1;
    const int side[2] = {odd ? east : west, odd ? west : east}, other_side[2] = {side[1], side[0]};
    Real* const at = cells.p + base;
    const Real* const loads = cells.b + base;
    __syncthreads();
    for (int left = iterations; left > 0; --left) {
        if (!HOLDS_DIAGONALS && alike) {
            half_sweep_in_registers<0, true>(at, loads, row_length, side, inverse_diagonal, w, mine);
        } else if (share.works) {
            half_sweep_in_registers<0, false>(at, loads, row_length, side, inverse_diagonal, w, mine);
        }
        __syncthreads();
        if (!HOLDS_DIAGONALS && alike) {
            half_sweep_in_registers<1, true>(at, loads, row_length, other_side, inverse_diagonal, w, mine);
        } else if (share.works) {
            half_sweep_in_registers<1, false>(at, loads, row_length, other_side, inverse_diagonal, w, mine);
        }
        __syncthreads();
    }
}
