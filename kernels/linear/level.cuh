// A level of the multigrid hierarchy and the step to the next coarser one: twin of
// crates/linear/src/cpu/multigrid.rs and the files below it.
#pragma once
#include "linear/layout.cuh"
#include "linear/stencil.cuh"

// From a fine level to the next coarser one; mirrored in crates/linear/src/gpu/mirrors.rs. Twin of
// `Transfer` in crates/linear/src/cpu/multigrid/transfer.rs and of `Ratios` in crates/linear/src/plan.rs.
struct Transfer {
    Real ratios[3][5];  // of distances at the first, second, inner, last and end faces, by direction
    Real omega;         // weight of the half-sweeps that join the coarse correction
    int factor[3];      // fine cells along a coarse one
    int child[3];       // first child of this rank's first coarse cell, whether it exists or not
    int parent[3];      // so much is added to a fine cell's number before it is divided by the factor
    int begin[3];       // fine cells exist from here on
    int end[3];         // and below
    int start[3];       // global number of this rank's first coarse cell
    int all[3];         // coarse cells of the whole box
    int unused;
};
static_assert(sizeof(Transfer) == 16 * sizeof(Real) + 22 * sizeof(int), "mirrored in Rust");

// A level and the step to the next, which the last level does not have; mirrored as Transfer.
struct Level {
    Layout layout;
    Transfer next;
    int periodic;  // bits of periodic directions
    int unused;
};
static_assert(sizeof(Level) == sizeof(Layout) + sizeof(Transfer) + 2 * sizeof(int), "as in Rust");

// The coefficients of a level, one direction after the other.
INLINE const Real* coefficients_of(const Layout& layout, const Real* c) {
    return c + DIRECTIONS * layout.first;
}

// The coefficients of the sides of a cell; those of a level.
INLINE void take_sides(const Layout& layout, const Real* c, int64 here, Real (&sides)[SIDES]) {
    const int64 length = length_of(layout);
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        sides[2 * d] = c[d * length + here];
        sides[2 * d + 1] = c[d * length + here + stride_of(layout, d)];
    }
}

// The values beside a cell.
INLINE void take_beside(const Layout& layout, const Real* x, int64 here, Real (&beside)[SIDES]) {
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        beside[2 * d] = x[here - stride_of(layout, d)];
        beside[2 * d + 1] = x[here + stride_of(layout, d)];
    }
}

// The same in an array in halves, `here` being the cell's place there.
INLINE void take_beside_in_halves(const Layout& layout, const Indices& at, const Real* x, int64 here,
                                  Real (&beside)[SIDES]) {
    const int half = (layout.row + 1) / 2, is_odd = (at.i + layout.halo[0]) & 1;
    const int64 low = here + (is_odd ? -half : half - 1);
    beside[0] = x[low];
    beside[1] = x[low + 1];
#pragma unroll
    for (int d = 1; d < DIRECTIONS; ++d) {
        beside[2 * d] = x[here - stride_of(layout, d)];
        beside[2 * d + 1] = x[here + stride_of(layout, d)];
    }
}

// A new value of a cell: on the way to the one that satisfies its equation, from those beside it. All
// arrays are the level's own.
INLINE Real relaxed_at(const Layout& layout, Real omega, const Real* c, const Real* inverse,
                       const Real* b, const Real* x, int64 here) {
    Real sides[SIDES], beside[SIDES];
    take_sides(layout, c, here, sides);
    take_beside(layout, x, here, beside);
    const Real value = relaxed(inverse[here], b[here], sum_of(sides, beside));
    return omega == Real(1) ? value : weighted(x[here], omega, value);
}

// b - A x in a cell.
INLINE Real residual_at(const Layout& layout, const Real* c, const Real* b, const Real* x,
                        int64 here) {
    Real sides[SIDES], beside[SIDES];
    take_sides(layout, c, here, sides);
    take_beside(layout, x, here, beside);
    return residual_of(b[here], sum_of(sides, beside), diagonal_of(sides), x[here]);
}

// The first child of a coarse cell along d, whether it exists or not; the fine face that is the low
// one of a coarse cell.
INLINE int first_child(const Transfer& step, int d, int i) {
    return step.child[d] + i * step.factor[d];
}
INLINE int fine_face(const Transfer& step, int d, int i) {
    return min(max(first_child(step, d, i), step.begin[d]), step.end[d]);
}
INLINE bool has_child(const Transfer& step, int d, int i) {
    return i >= step.begin[d] && i < step.end[d];
}

// The cell that a fine cell belongs to, along d; -1 is in the halo.
INLINE int parent_of(const Transfer& step, int d, int i) {
    // Shifted, so that -1 / 2 does not become 0.
    return step.factor[d] == 1 ? i + step.parent[d] : ((i + step.parent[d] + 2) >> 1) - 1;
}
INLINE Indices parent_of(const Transfer& step, const Indices& at) {
    return {parent_of(step, 0, at.i), parent_of(step, 1, at.j), parent_of(step, 2, at.k)};
}

// The sum over the children of a coarse cell, or over those on its low face in direction `face` unless
// that is negative: in pairs along x, then y, then z. A child that does not exist counts as 0.
template <class Value>
INLINE Real sum_of_children(const Transfer& step, const Indices& coarse, int face,
                            const Value& value) {
    const int first_i = face == 0 ? fine_face(step, 0, coarse.i) : first_child(step, 0, coarse.i);
    const int first_j = face == 1 ? fine_face(step, 1, coarse.j) : first_child(step, 1, coarse.j);
    const int first_k = face == 2 ? fine_face(step, 2, coarse.k) : first_child(step, 2, coarse.k);
    const int more_x = face != 0 && step.factor[0] == 2, more_y = face != 1 && step.factor[1] == 2;
    const int more_z = DIRECTIONS == 3 && face != 2 && step.factor[2] == 2;
    Real planes[2] = {Real(0), Real(0)};
#pragma unroll
    for (int k = 0; k < DIRECTIONS - 1; ++k) {
        if (k > more_z) break;
        Real rows[2] = {Real(0), Real(0)};
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            if (j > more_y) break;
            const Indices child = {first_i, first_j + j, first_k + k};
            const Indices next = {first_i + 1, child.j, child.k};
            const bool exists = (face == 1 || has_child(step, 1, child.j)) &&
                                (face == 2 || has_child(step, 2, child.k));
            if (!exists) continue;
            rows[j] = face == 0 || has_child(step, 0, child.i) ? value(child) : Real(0);
            if (more_x) {
                rows[j] = rows[j] + (has_child(step, 0, next.i) ? value(next) : Real(0));
            }
        }
        planes[k] = more_y ? rows[0] + rows[1] : rows[0];
    }
    return more_z ? planes[0] + planes[1] : planes[0];
}

// What coefficients at low face i, counted in the whole box, are multiplied with.
INLINE Real ratio_of(const Transfer& step, int d, int i) {
    const int n = step.all[d];
    return step.ratios[d][i == 0 ? 0 : i == n ? 4 : i == 1 ? 1 : i + 1 == n ? 3 : 2];
}

// The coefficient at the low face of a coarse cell, or of the place beyond the last, from those of the
// finer level in direction d.
INLINE Real coarse_coefficient(const Layout& fine, const Transfer& step, const Real* c, int d,
                               const Indices& at) {
    const Real sum = sum_of_children(step, at, d, [&](const Indices& child) {
        return c[place_of(fine, child)];
    });
    return sum * ratio_of(step, d, step.start[d] + along(at, d));
}

// The next cell along d.
INLINE Indices beyond(const Indices& at, int d) {
    return {at.i + (d == 0), at.j + (d == 1), at.k + (d == 2)};
}

// The coefficients at the low faces of a coarse cell, and at its high ones at the end of the box.
INLINE void coarsen_cell(const Layout& fine, const Layout& coarse, const Transfer& step,
                         const Real* c, Real* c_coarse, const Indices& at) {
    const int64 here = place_of(coarse, at);
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        const Real* const from = c + d * length_of(fine);
        Real* const to = c_coarse + d * length_of(coarse) + here;
        *to = coarse_coefficient(fine, step, from, d, at);
        if (step.start[d] + along(at, d) + 1 == step.all[d]) {
            to[stride_of(coarse, d)] = coarse_coefficient(fine, step, from, d, beyond(at, d));
        }
    }
}

// One over the sum of a cell's coefficients.
INLINE Real inverse_at(const Layout& layout, const Real* c, int64 here) {
    Real sides[SIDES];
    take_sides(layout, c, here, sides);
    return inverse_of(diagonal_of(sides));
}
