// Several iterations of red-black SOR in one pass through memory, for plane grids of any size; eq.
// (F6) of docs/src/theory/fdm.md. Each block loads a tile with margins, relaxes it in shared memory
// and writes its own cells, into other arrays than the ones that its neighbours still read.
//
// red, black: pressures in m2/s2 of each colour, padded rows of `half_row`; read with margins of two
// cells an iteration. b_red, b_black: right-hand sides in 1/s2. kinds_red, kinds_black: what cells
// are: places in inverse_diagonals, in m2, which are TABLE. new_red, new_black: written in the grid's
// own cells. Halos stay as they are.
//
// Shared memory: the inverse diagonals, then pressures, right-hand sides and kinds of the tile with
// its margins.
#include "fdm/tile.cuh"

// What a launch does; mirrored in crates/fdm/src/gpu/relax_tile.rs.
struct TileSweep {
    Weights weights;
    int iterations;  // at most tiling.batch
    int half_row;    // values of one colour in a padded row
};
static_assert(sizeof(TileSweep) == 4 * sizeof(Real) + 2 * sizeof(int), "mirrored in Rust");

// Inverse diagonals; mirrored in crates/fdm/src/gpu/relax_tile.rs.
constexpr int TABLE = 64;

// Rows that a thread loads before it stores the first, so that many loads are under way together.
constexpr int ROWS_LOADED = 2;

// Both colours of what a tile is loaded from.
struct Sources {
    const Real *p[2], *b[2];
    const unsigned char* kinds[2];
};

// A tile with its margins, as far as the padded grid goes.
INLINE void load_tile(const Tiling& t, const Place& here, int half_row, const Sources& from, Real* p,
                      Real* b, unsigned char* kind) {
    constexpr int CELLS = 2 * ROWS_LOADED;
    const int low = max(here.first[1], -1), high = min(here.first[1] + t.extent[1], t.cells[1] + 1);
    const int half = t.extent[0] / 2;
    for (int m = lane(); m < half; m += 32) {
        for (int first = low + warp(); first < high; first += ROWS_LOADED * warps()) {
            Real pressure[CELLS], side[CELLS];
            unsigned char what[CELLS];
            bool there[CELLS];
#pragma unroll
            for (int n = 0; n < CELLS; ++n) {
                const int colour = n % 2, j = first + n / 2 * warps();
                const int i = here.first[0] + 2 * m + ((colour + j + t.parity) & 1);
                there[n] = j < high && i >= -1 && i <= t.cells[0];
                if (!there[n]) continue;
                // Halos are positions 0 of padded rows and columns.
                const int64 at = static_cast<int64>(j + 1) * half_row + (i + 1) / 2;
                pressure[n] = from.p[colour][at];
                side[n] = from.b[colour][at];
                what[n] = from.kinds[colour][at];
            }
#pragma unroll
            for (int n = 0; n < CELLS; ++n) {
                if (!there[n]) continue;
                const int row = first + n / 2 * warps() - here.first[1];
                const int at = row * t.extent[0] + n % 2 * half + m;
                p[at] = pressure[n];
                b[at] = side[n];
                kind[at] = what[n];
            }
        }
    }
}

// The own pressures of one colour, from the tile to memory.
INLINE void store_colour(const Tiling& t, const Place& here, int half_row, int colour, const Real* p,
                         Real* to) {
    for (int j = here.own[1] + warp(); j < here.end[1]; j += warps()) {
        const int start = (colour + j + t.parity) & 1;
        const Real* const row = p + (j - here.first[1]) * t.extent[0] + colour * (t.extent[0] / 2);
        Real* const padded = to + static_cast<int64>(j + 1) * half_row + here.first[0] / 2 + start;
        const int end = (here.end[0] - here.first[0] - start + 1) / 2;
        for (int m = (here.own[0] - here.first[0] - start + 1) / 2 + lane(); m < end; m += 32) padded[m] = row[m];
    }
}

KERNEL HALF_BLOCK relax_tile(const Tiling tiling, const TileSweep sweep, const Real* red,
                             const Real* black, const Real* b_red, const Real* b_black,
                             const unsigned char* kinds_red, const unsigned char* kinds_black,
                             const Real* inverse_diagonals, Real* new_red, Real* new_black) {
    SHARED(Real, table);
    const int size = tiling.extent[0] * tiling.extent[1];
    Real* const p = table + TABLE;
    Real* const b = p + size;
    unsigned char* const kind = reinterpret_cast<unsigned char*>(b + size);
    const Place here = place_of(tiling, blockIdx.x);
    if (threadIdx.x < TABLE) table[threadIdx.x] = inverse_diagonals[threadIdx.x];
    load_tile(tiling, here, sweep.half_row, {{red, black}, {b_red, b_black}, {kinds_red, kinds_black}}, p, b, kind);
    __syncthreads();
    // Each half-sweep needs one cell of margin; the last one needs none.
    for (int left = 2 * sweep.iterations; left > 0; --left) {
        half_sweep<false>(tiling, here, p, b, kind, table, left & 1, left - 1, sweep.weights);
        __syncthreads();
    }
    store_colour(tiling, here, sweep.half_row, 0, p, new_red);
    store_colour(tiling, here, sweep.half_row, 1, p, new_black);
}
