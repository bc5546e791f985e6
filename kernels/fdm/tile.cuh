// A tile of a plane grid with margins, in shared memory: red-black SOR of eq. (F6) on it, and the
// residual of eq. (F13). Each half-sweep uses up one row of the margin, so several iterations need
// no word from the neighbours. Used by relax_tile.cu and resident.cu.
//
// Natural order: value (i, j) at (j - y) * extent[0] + (i - x), where (x, y) is the tile's first
// cell with margin. Split order: each row holds its red cells, then its black ones.
#pragma once
#include "fdm/stencil.cuh"

// The length of a tile's rows: a constant, if the compiler is told the tile.
#ifdef ROW
INLINE int row_length_of(int) { return ROW; }
#else
INLINE int row_length_of(int given) { return given; }
#endif

// How a plane grid is cut into tiles; mirrored in crates/fdm/src/resident/tiling.rs.
struct Tiling {
    int cells[2];   // cells of the grid
    int own[2];     // cells of a tile, even
    int tiles[2];   // tiles
    int reach;      // cells of the low margins, even
    int extent[2];  // cells of a tile with its margins, even
    int batch;      // most iterations without word from the neighbours
    int parity;     // of the grid's first cell: its colour
    int pitch;      // padded row length of the fields
};
static_assert(sizeof(Tiling) == 12 * sizeof(int), "mirrored in Rust");

// Numbers of a sweep; mirrored in crates/fdm/src/resident/tiling.rs.
struct Weights {
    Real inverse_h2[2];  // 1/m2
    Real omega, keep;    // over-relaxation and 1 - omega
};

// Where a block's tile lies.
struct Place {
    int own[2];    // first own cell
    int end[2];    // cell behind the last own one
    int first[2];  // first cell with margin
};

INLINE Place place_of(const Tiling& t, int block) {
    Place here;
    const int number[2] = {block % t.tiles[0], block / t.tiles[0]};
    for (int d = 0; d < 2; ++d) {
        here.own[d] = number[d] * t.own[d];
        here.end[d] = min(here.own[d] + t.own[d], t.cells[d]);
        here.first[d] = here.own[d] - t.reach;
    }
    return here;
}

// A range of cells in one direction: own ones and some margin, inside the grid.
struct Range {
    int low, high;
};
INLINE Range range(const Tiling& t, const Place& here, int d, int below, int above) {
    return {max(here.own[d] - below, 0), min(here.end[d] + above, t.cells[d])};
}

// The own ones alone.
INLINE Range own_range(const Place& here, int d) { return {here.own[d], here.end[d]}; }

// Threads work on rows by warps: lanes along x, so that neighbours in memory go together.
INLINE int lane() { return threadIdx.x % 32; }
INLINE int warp() { return threadIdx.x / 32; }
INLINE int warps() { return blockDim.x / 32; }

// Place of a cell in natural and in split order. Margins and extents are even, so parities are
// those of the grid.
INLINE int natural(const Tiling& t, const Place& here, int i, int j) {
    return (j - here.first[1]) * row_length_of(t.extent[0]) + (i - here.first[0]);
}
INLINE int split(const Tiling& t, const Place& here, int i, int j) {
    const int column = i - here.first[0], black = (i + j + t.parity) & 1;
    const int row_length = row_length_of(t.extent[0]);
    return (j - here.first[1]) * row_length + black * (row_length / 2) + column / 2;
}

// One colour over the tile's own cells and `margin` more. With MEASURE, the largest change of an
// own pressure as bits; else 0.
template <bool MEASURE>
INLINE Bits half_sweep(const Tiling& t, const Place& here, Real* p, const Real* b,
                       const unsigned char* kind, const Real* inverse_diagonal, int colour,
                       int margin, const Weights& w) {
    const Range x = range(t, here, 0, margin, margin), y = range(t, here, 1, margin, margin);
    const int half = t.extent[0] / 2, row_length = t.extent[0];
    Bits most = 0;
    for (int j = y.low + warp(); j < y.high; j += warps()) {
        const int start = (colour + j + t.parity) & 1;
        const int row = (j - here.first[1]) * row_length;
        const int mine = row + colour * half, other = row + (1 - colour) * half;
        const int end = (x.high - here.first[0] - start + 1) / 2;
        for (int m = (x.low - here.first[0] - start + 1) / 2 + lane(); m < end; m += 32) {
            const Real west = p[other + m - 1 + start], east = p[other + m + start];
            const Real south = p[other + m - row_length], north = p[other + m + row_length];
            const Real gap = defect_plane(west, east, south, north, b[mine + m], w.inverse_h2[0],
                                          w.inverse_h2[1]);
            const Real d = inverse_diagonal[kind[mine + m] & 63];
            const Real before = p[mine + m];
            const Real after = relaxed(before, d, gap, w.omega, w.keep);
            p[mine + m] = after;
            if (MEASURE) {
                const int i = here.first[0] + 2 * m + start;
                const bool own =
                    i >= here.own[0] && i < here.end[0] && j >= here.own[1] && j < here.end[1];
                if (own) most = larger(most, bits_of(after - before));
            }
        }
    }
    return most;
}

// Iterations of red-black SOR, at most t.batch. Afterwards pressures are right on the own cells and
// one more. With MEASURE, the largest change in the last one.
template <bool MEASURE>
INLINE Bits sweeps(const Tiling& t, const Place& here, Real* p, const Real* b,
                   const unsigned char* kind, const Real* inverse_diagonal, int iterations,
                   const Weights& w) {
    Bits most = 0;
    for (int left = 2 * iterations; left > 0; --left) {
        const Bits change = half_sweep<MEASURE>(t, here, p, b, kind, inverse_diagonal, left & 1,
                                                left, w);  // red while `left` is even
        if (MEASURE) most = left <= 2 ? larger(most, change) : 0;
        __syncthreads();
    }
    return most;
}

// The largest residual and right-hand side of this thread's own cells in the flow.
INLINE void worst(const Tiling& t, const Place& here, const Real* p, const Real* b,
                  const unsigned char* kind, const Real* inverse_diagonal, const Weights& w,
                  Bits largest[2]) {
    const int half = t.extent[0] / 2, row_length = t.extent[0];
    for (int j = here.own[1] + warp(); j < here.end[1]; j += warps()) {
        for (int i = here.own[0] + lane(); i < here.end[0]; i += 32) {
            const int mine = split(t, here, i, j);
            const Real d = inverse_diagonal[kind[mine] & 63];
            if (!(d > Real(0))) continue;  // in solids there is no equation
            const int black = (i + j + t.parity) & 1, odd = (i - here.first[0]) & 1;
            const int other = mine + (black ? -half : half);
            const Real gap =
                defect_plane(p[other - 1 + odd], p[other + odd], p[other - row_length],
                             p[other + row_length], b[mine], w.inverse_h2[0], w.inverse_h2[1]);
            largest[0] = larger(largest[0], bits_of(gap - p[mine] / d));
            largest[1] = larger(largest[1], bits_of(b[mine]));
        }
    }
}
