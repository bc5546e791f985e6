// Which cells of a tile a thread works on, and where they lie.
#pragma once
#include "fdm/tile.cuh"

// The thread, and its lane and warp, anew for each part of a step: there are no registers to keep from part to part what
// follows from them.
struct Worker {
    int thread, lane, warp;
};
INLINE Worker worker() {
    uint32 thread = threadIdx.x;
    opaque(thread);
    return {static_cast<int>(thread), static_cast<int>(thread % 32), static_cast<int>(thread / 32)};
}

// A cell: so many columns of warps to the east of cell (i, j). Its places are known distances from those of that.
struct Spot {
    int i, j, columns;
};

// Numbers of a cell.
template <int N> struct Numbers {
    Real of[N];
};

// Does something with all cells of a rectangle. A warp takes N rows at a time and so many cells a thread in each: what
// `take` loads for them is under way together before `give` stores the first. For rows beyond the last one a warp takes
// its first one again, and does not give it. Whatever is not taken is zero, or the compiler would keep what it was
// before, from step to step.
template <int N, int COLUMNS, class Taken, class Take, class Give>
INLINE void by_rows(const Range& x, const Range& y, const Take& take, const Give& give) {
    const Worker me = worker();
    for (int row = y.low + me.warp; row < y.high; row += N * warps()) {
        for (int first = x.low + me.lane; first - me.lane < x.high; first += 32 * COLUMNS) {
            Taken taken[N][COLUMNS];
#pragma unroll
            for (int n = 0; n < N; ++n) {
                const int j = row + n * warps() < y.high ? row + n * warps() : row;
#pragma unroll
                for (int c = 0; c < COLUMNS; ++c) {
                    taken[n][c] = first + 32 * c < x.high ? take(Spot{first, j, c}) : Taken{};
                }
            }
#pragma unroll
            for (int n = 0; n < N; ++n) {
#pragma unroll
                for (int c = 0; c < COLUMNS; ++c) at_once(taken[n][c].of);
            }
#pragma unroll
            for (int n = 0; n < N; ++n) {
                const int j = row + n * warps();
                if (j >= y.high) break;
#pragma unroll
                for (int c = 0; c < COLUMNS; ++c) {
                    if (first + 32 * c < x.high) give(Spot{first, j, c}, taken[n][c]);
                }
            }
        }
    }
}

// The same with the cells of a rectangle that are not in another one in it, N cells of a thread at a time.
template <int N, class Taken, class Take, class Give>
INLINE void around(const Range& x, const Range& y, const Range& hole_x, const Range& hole_y, const Take& take, const Give& give) {
    const Worker me = worker();
    const int hole[2] = {hole_x.high - hole_x.low, hole_y.high - hole_y.low};
    const int width = x.high - x.low, sides = width - hole[0], below = hole_y.low - y.low;
    // First rows without a hole, then those beside it.
    const int full = width * (y.high - y.low - hole[1]), cells = full + sides * hole[1];
    const float rows = 1.0f / width, side_rows = 1.0f / sides;
    const auto spot_of = [&](int n) {
        const bool is_full = n < full;
        const int m = is_full ? n : n - full;
        const int row = times_in(m, is_full ? rows : side_rows), column = m - row * (is_full ? width : sides);
        const int j = is_full ? row + (row >= below ? hole[1] : 0) : below + row;
        return Spot{x.low + column + (!is_full && x.low + column >= hole_x.low ? hole[0] : 0), y.low + j, 0};
    };
    const int threads = blockDim.x;
    for (int first = me.thread; first < cells; first += N * threads) {
        Taken taken[N];
#pragma unroll
        for (int n = 0; n < N; ++n) taken[n] = take(spot_of(min(first + n * threads, cells - 1)));
#pragma unroll
        for (int n = 0; n < N; ++n) at_once(taken[n].of);
#pragma unroll
        for (int n = 0; n < N; ++n) {
            if (first + n * threads < cells) give(spot_of(first + n * threads), taken[n]);
        }
    }
}

// Its places in the padded fields, and in the tile.
INLINE int64 padded(const Tiling& t, const Spot& at) {
    return static_cast<int64>(at.j + 1) * t.pitch + 1 + at.i + 32 * at.columns;
}
INLINE int natural(const Tiling& t, const Place& here, const Spot& at) {
    return natural(t, here, at.i, at.j) + 32 * at.columns;
}
INLINE int split(const Tiling& t, const Place& here, const Spot& at) {
    return split(t, here, at.i, at.j) + 16 * at.columns;
}
