// Several iterations of red-black SOR in one pass through memory, for plane grids of any size; eq.
// (F6) of docs/src/theory/fdm.md. Each block loads a tile with margins, relaxes it in shared memory
// and writes its own cells, into other arrays than the ones that its neighbours still read.
//
// red, black: pressures in m2/s2 of each colour, padded rows of `half_row`; read with margins of two
// cells an iteration. b_red, b_black: right-hand sides in 1/s2. red_kinds, black_kinds: numbers of
// cells' inverse_diagonals, in m2. new_red, new_black: written in the grid's own cells. Halos stay
// as they are.
#include "fdm/tile.cuh"

// What a launch does; mirrored in crates/fdm/src/gpu/relax_tile.rs.
struct TileSweep {
    Weights weights;
    int iterations;
    int half_row;
};

// One colour of a tile with its margins, as far as the padded grid goes. `T` is Real or a byte.
template <class T>
INLINE void load_colour(const Tiling& t, const Place& here, int half_row, int colour, const T* from, T* to) {
    const int low = max(here.first[1], -1), high = min(here.first[1] + t.extent[1], t.cells[1] + 1);
    const int half = t.extent[0] / 2;
    for (int j = low + warp(); j < high; j += warps()) {
        const int start = (colour + j + t.parity) & 1;
        // Of cells -1 to n; positions in padded rows are one higher.
        const int first = max((-1 - here.first[0] - start + 1) / 2, 0);
        const int end = min((t.cells[0] + 1 - here.first[0] - start + 1) / 2, half);
        const T* const row = from + static_cast<int64>(j + 1) * half_row + here.first[0] / 2 + start;
        T* const mine = to + (j - here.first[1]) * t.extent[0] + colour * half;
        for (int m = first + lane(); m < end; m += 32) mine[m] = row[m];
    }
}

INLINE void store_colour(const Tiling& t, const Place& here, int half_row, int colour, const Real* from, Real* to) {
    const int half = t.extent[0] / 2;
    for (int j = here.own[1] + warp(); j < here.end[1]; j += warps()) {
        const int start = (colour + j + t.parity) & 1;
        const int end = (here.end[0] - here.first[0] - start + 1) / 2;
        Real* const row = to + static_cast<int64>(j + 1) * half_row + here.first[0] / 2 + start;
        const Real* const mine = from + (j - here.first[1]) * t.extent[0] + colour * half;
        for (int m = (here.own[0] - here.first[0] - start + 1) / 2 + lane(); m < end; m += 32) row[m] = mine[m];
    }
}

KERNEL FULL_BLOCK relax_tile(const Tiling tiling, const TileSweep sweep, const Real* red, const Real* black,
                             const Real* b_red, const Real* b_black, const unsigned char* red_kinds,
                             const unsigned char* black_kinds, const Real* inverse_diagonals,
                             Real* new_red, Real* new_black) {
    SHARED(Real, table);
    const int size = tiling.extent[0] * tiling.extent[1];
    Real* const p = table + 64;
    Real* const b = p + size;
    unsigned char* const kind = reinterpret_cast<unsigned char*>(b + size);
    const Place here = place_of(tiling, blockIdx.x);
    if (threadIdx.x < 64) table[threadIdx.x] = inverse_diagonals[threadIdx.x];
    load_colour(tiling, here, sweep.half_row, 0, red, p);
    load_colour(tiling, here, sweep.half_row, 1, black, p);
    load_colour(tiling, here, sweep.half_row, 0, b_red, b);
    load_colour(tiling, here, sweep.half_row, 1, b_black, b);
    load_colour(tiling, here, sweep.half_row, 0, red_kinds, kind);
    load_colour(tiling, here, sweep.half_row, 1, black_kinds, kind);
    __syncthreads();
    sweeps<false>(tiling, here, p, b, kind, table, sweep.iterations, sweep.weights);
    store_colour(tiling, here, sweep.half_row, 0, p, new_red);
    store_colour(tiling, here, sweep.half_row, 1, p, new_black);
}
