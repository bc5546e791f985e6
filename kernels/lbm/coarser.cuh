// Between a grid and the next coarser one of a cycle; eqs. (L23) to (L25) of docs/src/theory/lbm.md. Twin of
// crates/lbm/src/cpu/cycles.rs.
//
// A flow is the density less one and the velocity of each own cell, x fastest, one after the other. Threads do one row after
// the other.
#pragma once
#include "lbm/collide.cuh"
#include "lbm/layout.cuh"

// Numbers of a flow in a cell.
constexpr int FLOW = 4;

// Own cells of a grid with one more on each side, in z so many; mirrored in crates/lbm/src/gpu/numbers.rs.
struct PaddedCells {
    int64 stride[3];  // from one cell to the next in x, y and z
    int64 first;      // own cell (0, 0, 0)
    int64 cells;      // how many there are
};
static_assert(sizeof(PaddedCells) == 5 * sizeof(int64), "mirrored in Rust");

INLINE int64 place_in(const PaddedCells& padded, const Indices& at) {
    return padded.first + at.i + padded.stride[1] * at.j + padded.stride[2] * at.k;
}

// Does something in each own cell, which is told with its number.
template <class Do> INLINE void in_each_cell(const Layout& layout, const Do& something) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, rows = layout.cells[1] * layout.cells[2];
    if (i >= layout.cells[0]) return;
    for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < rows; row += gridDim.y * blockDim.y) {
        something(Indices{i, row % layout.cells[1], row / layout.cells[1]}, i + static_cast<int64>(layout.cells[0]) * row);
    }
}
INLINE int64 cells_of(const Layout& layout) {
    return static_cast<int64>(layout.cells[0]) * layout.cells[1] * layout.cells[2];
}

struct Flow {
    Real of[FLOW];
};

// The flow of a cell whose populations are given, and the one of a cell with this number.
INLINE Flow flow_found(const Real (&h)[Q], const Rates& rates) {
    const Moments found = moments(h, rates);
    return {{found.density_deviation, found.u[0], found.u[1], found.u[2]}};
}
INLINE Flow flow_told(const Layout& layout, const Real* told, int64 number) {
    Flow flow;
    for (int n = 0; n < FLOW; ++n) flow.of[n] = told[n * cells_of(layout) + number];
    return flow;
}

// The populations of a flow at equilibrium, with half of the force still to come.
INLINE void at_equilibrium(const Flow& flow, const Rates& rates, Real (&h)[Q]) {
    const Real u[3] = {flow.of[1], flow.of[2], flow.of[3]};
    Real momentum[3];
#pragma unroll
    for (int d = 0; d < 3; ++d) momentum[d] = rates.is_forced ? u[d] - Real(0.5) * rates.force[d] : u[d];
    const Equilibrium equilibrium(flow.of[0], u);
    h[0] = equilibrium.rest();
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) {
        const Real even = equilibrium.even(p), odd = Equilibrium::odd(p, momentum);
        h[2 * p + 1] = even + odd;
        h[2 * p + 2] = even - odd;
    }
}

// Puts populations where they arrive in an own cell.
INLINE void put(const Layout& layout, const Cell& cell, const Real (&h)[Q], Stored* f) {
#pragma unroll
    for (int q = 0; q < Q; ++q) f[arriving(layout, cell, q)] = population_of(h[q]);
}
