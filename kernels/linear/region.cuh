// Regions of a plane level on which a block does several half-sweeps by itself. What is right shrinks by a cell on each side
// in every half-sweep, so a block reads more cells than it writes; the bits are those of sweeps over all cells.
#pragma once
#include "linear/level.cuh"

// Cells of a region along x and along y; a row has a thread for each two. Twin of REGION in crates/linear/src/gpu/launches.rs.
constexpr int REGION = 32, PAIRS = REGION / 2, REGION_CELLS = REGION * REGION;

// Place in shared memory of a region's cell: in each row those with even numbers come first.
INLINE int place_in_region(int i, int j) { return j * REGION + (i & 1) * PAIRS + i / 2; }

// One of the two cells of a thread, which have different colours.
struct RegionCell {
    Indices at;      // on the level
    int64 here;      // its place there, if it exists
    int place, low;  // in shared memory: its own, and that of the neighbour at lower x; the one at higher x lies behind
    bool is_own;     // an own cell, or one around the corner that stands for it
    bool is_ghost;   // beyond the level's end, where an own cell reads it
    bool is_inner;   // has all neighbours in the region
    bool is_kept;    // written by this block, if it is an own cell
};

// The cell of a colour of this thread, in a region that begins `halo` cells before the first one that is kept.
INLINE RegionCell region_cell(const Layout& layout, int begin_i, int begin_j, int halo, int colour) {
    const int row = threadIdx.y, first = (layout.origin + begin_i + begin_j + row + colour) & 1;
    const int column = 2 * threadIdx.x + first;
    RegionCell cell;
    cell.at = {begin_i + column, begin_j + row, 0};
    cell.place = row * REGION + first * PAIRS + threadIdx.x;
    cell.low = first ? cell.place - PAIRS : cell.place + PAIRS - 1;
    cell.is_inner = column > 0 && column < REGION - 1 && row > 0 && row < REGION - 1;
    cell.is_kept = column >= halo && column < REGION - halo && row >= halo && row < REGION - halo &&
                   cell.at.i >= 0 && cell.at.j >= 0 && is_own(layout, cell.at);
    if (layout.wraps & 1) cell.at.i = (cell.at.i % layout.cells[0] + layout.cells[0]) % layout.cells[0];
    if (layout.wraps & 2) cell.at.j = (cell.at.j % layout.cells[1] + layout.cells[1]) % layout.cells[1];
    const bool is_near = cell.at.i >= -1 && cell.at.i <= layout.cells[0] && cell.at.j >= -1 &&
                         cell.at.j <= layout.cells[1];
    cell.is_own = cell.at.i >= 0 && cell.at.j >= 0 && is_own(layout, cell.at);
    cell.is_ghost = is_near && !cell.is_own;
    cell.here = is_near ? place_of(layout, cell.at) : 0;
    return cell;
}

// The values beside a cell that is inner.
INLINE void take_beside_in_region(const Real* x, const RegionCell& cell, Real (&beside)[SIDES]) {
    beside[0] = x[cell.low];
    beside[1] = x[cell.low + 1];
    beside[2] = x[cell.place - REGION];
    beside[3] = x[cell.place + REGION];
    if (DIRECTIONS == 3) beside[SIDES - 2] = beside[SIDES - 1] = Real(0);
}

// The equations of a thread's two cells on a level of multigrid.
struct RegionEquation {
    Real sides[SIDES], inverse, b;
};

INLINE RegionEquation region_equation(const Layout& layout, const RegionCell& cell, const Real* c, const Real* inverse,
                                      const Real* b) {
    RegionEquation equation = {};
    if (!cell.is_own) return equation;
    take_sides(layout, coefficients_of(layout, c), cell.here, equation.sides);
    equation.inverse = inverse[layout.first + cell.here];
    equation.b = b[layout.first + cell.here];
    return equation;
}

// A new value of a cell, as relax_level.cu finds it; with from_zero what is beside it is known to be zero.
INLINE void relax_in_region(const RegionCell& cell, const RegionEquation& equation, Real omega, bool from_zero, Real* x) {
    if (!cell.is_own || !(cell.is_inner || from_zero)) return;
    Real sum = Real(0);
    if (!from_zero) {
        Real beside[SIDES];
        take_beside_in_region(x, cell, beside);
        sum = sum_of(equation.sides, beside);
    }
    const Real value = relaxed(equation.inverse, equation.b, sum);
    x[cell.place] = omega == Real(1) ? value : weighted(x[cell.place], omega, value);
}
