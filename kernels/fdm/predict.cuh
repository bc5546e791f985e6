// The rates of change of velocities: convection, diffusion and force; eqs. (F1) to (F4) of
// docs/src/theory/fdm.md. Each thread does a column of own cells, for predict.cu and
// predict_adams_bashforth.cu.
#pragma once
#include "fdm/layout.cuh"
#include "fdm/interval.cuh"
#include "fdm/stencil.cuh"

// What a fluid does; mirrored in crates/fdm/src/gpu/numbers.rs.
struct Fluid {
    Real diffusion[3];  // nu / h2 in 1/s
    Real inverse_h[3];  // 1 / h in 1/m
};
static_assert(sizeof(Fluid) == 6 * sizeof(Real), "mirrored in Rust");

// Cells that follow each other in direction LAST and are done by one thread: what two of them need is
// loaded and computed once. Mirrored in crates/fdm/src/gpu/numbers.rs.
constexpr int PREDICTED = DIRECTIONS == 2 ? 4 : 2;

// Velocities in and around the cells of a column: by component, then by place in direction LAST, in
// y (in space) and in x. What is not used is not loaded.
struct Near {
    Real at[DIRECTIONS][PREDICTED + 2][DIRECTIONS == 3 ? 3 : 1][3];
};

constexpr int NONE = 3;  // no direction

// The value of a component at cell r of the column, one further up in one direction and one further
// down in another.
INLINE Real value_at(const Near& near, int component, int r, int up, int down) {
    const int step[3] = {(up == 0) - (down == 0), (up == 1) - (down == 1), (up == 2) - (down == 2)};
    return near.at[component][1 + r + step[LAST]][DIRECTIONS == 3 ? 1 + step[1] : 0][1 + step[0]];
}

// Loads what is around a column of `length` cells; the velocities point at the first. All threads load
// as much, whether they need it or not, so that no load waits for a decision.
INLINE Near near_column(const Layout& layout, int length, const Real* const velocity[3]) {
    constexpr int Y = DIRECTIONS == 3 ? 1 : 0;
    Near near;
#pragma unroll
    for (int r = -1; r <= PREDICTED; ++r) {
        const int row = min(r, length) * stride_of(layout, LAST);
#pragma unroll
        for (int c = 0; c < DIRECTIONS; ++c) {
            const Real* const from = velocity[c] + row;
#pragma unroll
            for (int y = -Y; y <= Y; ++y) {
#pragma unroll
                for (int x = -1; x <= 1; ++x) {
                    near.at[c][r + 1][y + Y][x + 1] = from[y * stride_of(layout, 1) + x];
                }
            }
        }
    }
    return near;
}

// Rate of change of component a in m/s2 at cell r of a column.
template <bool CENTRAL>
INLINE Real rate_of_change(const Fluid& fluid, const Interval& now, int a, const Near& near, int r) {
    const Real half = Real(0.5);
    Real rate = now.force[a];
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        const Transport k = {fluid.diffusion[d], fluid.inverse_h[d], now.gamma, half};
        const Real low = value_at(near, a, r, NONE, d), high = value_at(near, a, r, d, NONE);
        const Real here = value_at(near, a, r, NONE, NONE);
        const Real v_low = half * (value_at(near, d, r, NONE, a) + value_at(near, d, r, NONE, NONE));
        const Real v_high = half * (value_at(near, d, r, d, a) + value_at(near, d, r, d, NONE));
        rate += CENTRAL ? transport_central(low, here, high, v_low, v_high, k)
                        : transport(low, here, high, v_low, v_high, k);
    }
    return rate;
}

// A column of cells.
struct Column {
    int64 at;    // place of the first
    int length;  // own cells
    unsigned char flags[PREDICTED];
};

// The column of this thread in a launch with one thread for PREDICTED cells.
INLINE Column column_at(const Layout& layout, const Indices& first, const unsigned char* faces) {
    Column column;
    column.at = cell_at(layout, first.i, first.j, first.k).whole;
    column.length = length_from(layout, first, PREDICTED);
    for (int r = 0; r < PREDICTED; ++r) {
        column.flags[r] = faces[column.at + min(r, column.length - 1) * stride_of(layout, LAST)];
    }
    return column;
}
