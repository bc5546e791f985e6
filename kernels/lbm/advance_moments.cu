// A step of a flow whose moments are stored: blocks of threads go through columns of cells plane by plane, let the populations
// of each plane leave, exchange them on chip and write the moments of those that arrive; eqs. (L20) to (L22) of
// docs/src/theory/lbm.md. Twin of crates/lbm/src/moments/sweep.rs.
//
// f: moments before the step from `march.from` on, read in the planes of this launch, in one more at either end and in the
// cells around; written from `march.to` on, where nothing lies that this or a later launch of the step reads. walls: what
// moving walls add to what comes back, of each face from march.walls on; eq. (L13). broken: becomes 1 if a density is not
// finite, and stays 1. A warp takes a row of a tile, block z takes march.planes planes. Shared memory: three planes of a tile.
#include "lbm/tile_of_moments.cuh"

KERNEL MARCHING_BLOCK advance_moments(const Layout layout, const March march, const Rates rates, const Real* walls, Real* f,
                                      int* broken) {
    if (!STORES_MOMENTS || Q != D3Q19) return;
    SHARED(Real, shared);
    const TileCell cell = cell_of_tile(layout, march);
    const int first = march.first + static_cast<int>(blockIdx.z) * march.planes, end = min(first + march.planes, march.end);
    const Real* from = f + (march.from + march.plane * (first - 1) + cell.column);
    Real* to = f + (march.to + march.plane * (first - 2) + cell.column);
    Real *now = shared + cell.here, *before = now + PLANE, *oldest = before + PLANE;
    // What has arrived from below in the plane before the present one, and the moments of the next.
    Real risen[Q], next[NUMBERS];
    Straight of_before = {};
    take_moments(from, next);
#pragma unroll 1
    for (int k = first - 1; k <= end; ++k) {
        const bool is_below = k < 0 && (layout.ends[2] & 1), is_above = k == layout.cells[2] && (layout.ends[2] & 2);
        Real h[Q];
        leaving_of(next, rates, h);
        from += march.plane;
        if (k < end) take_moments(from, next);
        Straight of_now = {h[0], h[UP], h[opposite(UP)]};
        if (cell.is_there && !is_below && !is_above) {
#pragma unroll
            for (int q = 1; q < Q; ++q) {
                if (!stays_in_column(q)) now[across(q) * WIDE] = h[q];
            }
            uint32 ends = cell.sides;
            if (k == 0) ends |= (layout.ends[2] & 1) << 4;
            if (k == layout.cells[2] - 1) ends |= (layout.ends[2] & 2) << 4;
            if (ends && cell.is_own) {
                return_from_walls(layout, march, cell, k, ends, h, walls, now, before, oldest, of_now, of_before);
            }
        }
        if (is_above) of_now.down = of_before.up;
        __syncthreads();
        if (cell.is_own && k > first) {
            Real arrived[Q], m[NUMBERS];
            arrived[0] = of_before.rest;
#pragma unroll
            for (int q = 1; q < Q; ++q) {
                if (component(q, 2) == 0) arrived[q] = before[across(q) * WIDE - away(q)];
                if (component(q, 2) > 0) arrived[q] = risen[q];
                if (component(q, 2) < 0) arrived[q] = stays_in_column(q) ? of_now.down : now[across(q) * WIDE - away(q)];
            }
            moments_of(arrived, rates, m);
#pragma unroll
            for (int n = 0; n < NUMBERS; ++n) to[n * LANES] = m[n];
            if (!(m[0] - m[0] == Real(0))) *broken = 1;
        }
#pragma unroll
        for (int q = 1; q < Q; ++q) {
            if (component(q, 2) > 0 && cell.is_own) {
                risen[q] = stays_in_column(q) ? of_before.up : before[across(q) * WIDE - away(q)];
            }
        }
        to += march.plane;
        of_before = of_now;
        Real* const spare = oldest;
        oldest = before;
        before = now;
        now = spare;
    }
}
