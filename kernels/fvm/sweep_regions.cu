// Half-sweeps over the equations of one or two components with the same matrix, by blocks that each take a region: the same bits
// as relax_momentum.cu or relax_temperature.cu give one after the other. Equations (V8) of docs/src/theory/fvm.md and (H12) of
// docs/src/theory/heat.md; for plane flows that are not cut, with an even number of cells around.
//
// a in 1/s: coefficients of the neighbours, low and high of each direction, and b: right-hand sides, are in halves, see
// place_in_halves; one over the diagonal in s is, too, if inverse_is_in_halves. x: the unknowns; each block reads
// own cells of x and writes those that it keeps, with their halo cells, see `put`, to `spare`, or the other way round if is_back;
// halo cells are read from x. With no half-sweeps it is a copy. Shared memory: a number for each component of each cell of a region.
#include "linear/region.cuh"

INLINE void sweep_colour(const RegionCell& cell, const int components, const Real (&sides)[SIDES], Real inverse,
                         const Real (&b)[DIRECTIONS], Real* shared) {
    __syncthreads();
    if (!cell.is_own || !cell.is_inner) return;
#pragma unroll
    for (int n = 0; n < DIRECTIONS; ++n) {
        if (n == components) break;
        Real* const x = shared + n * REGION_CELLS;
        Real beside[SIDES];
        take_beside_in_region(x, cell, beside);
        x[cell.place] = relaxed(inverse, b[n], sum_of(sides, beside));
    }
}

KERNEL HALF_BLOCK sweep_regions(const Layout layout, const int components, const int half_sweeps,
                                const int inverse_is_in_halves, const int is_back, const Real* a,
                                const Real* inverse, const Real* b, Real* x, Real* spare) {
    if (DIRECTIONS == 3) return;
    SHARED(Real, shared);
    const int kept = REGION - 2 * half_sweeps;
    const int begin_i = static_cast<int>(blockIdx.x) * kept - half_sweeps;
    const int begin_j = static_cast<int>(blockIdx.y) * kept - half_sweeps;
    const int64 length = length_of(layout);
    const Real* const from = is_back ? spare : x;
    Real* const to = is_back ? x : spare;
    RegionCell cells[2];
    Real sides[2][SIDES] = {}, scale[2] = {}, right[2][DIRECTIONS] = {};
#pragma unroll
    for (int colour = 0; colour < 2; ++colour) {
        cells[colour] = region_cell(layout, begin_i, begin_j, half_sweeps, colour);
        const RegionCell& cell = cells[colour];
        if (cell.is_own) {
            const int64 there = place_in_halves(layout, cell.at);
#pragma unroll
            for (int side = 0; side < SIDES; ++side) sides[colour][side] = a[side * length + there];
            scale[colour] = inverse[inverse_is_in_halves ? there : cell.here];
#pragma unroll
            for (int n = 0; n < DIRECTIONS; ++n) {
                if (n < components) right[colour][n] = b[n * length + there];
            }
        }
#pragma unroll
        for (int n = 0; n < DIRECTIONS; ++n) {
            if (n == components) break;
            const int64 here = n * length + cell.here;
            shared[n * REGION_CELLS + cell.place] = cell.is_own ? from[here] : cell.is_ghost ? x[here] : Real(0);
        }
    }
    for (int half = 0; half < half_sweeps; half += 2) {
        sweep_colour(cells[0], components, sides[0], scale[0], right[0], shared);
        sweep_colour(cells[1], components, sides[1], scale[1], right[1], shared);
    }
#pragma unroll
    for (int colour = 0; colour < 2; ++colour) {
        const RegionCell& cell = cells[colour];
        if (!cell.is_kept) continue;
#pragma unroll
        for (int n = 0; n < DIRECTIONS; ++n) {
            if (n == components) break;
            put(layout, cell.at, to + n * length, cell.here, shared[n * REGION_CELLS + cell.place]);
        }
    }
}
