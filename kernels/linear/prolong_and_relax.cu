// What prolong_level.cu does and then relax_level.cu with the second colour and step.omega, with
// the same bits in the cells of that colour. Those of the other colour lack the correction: it was
// only needed here, and they are relaxed next. Not for levels that are cut, or with an odd number
// of cells around.
//
// Arrays as in restrict_level.cu. x: read with one halo cell, x_coarse too, both without edges. Each
// thread writes one own cell of x, and its halo cells, see `put`.
#include "linear/level.cuh"

// Whether the cell beside another, along d, exists.
INLINE bool has_cell(const Layout& layout, int d, int i) {
    return (i >= 0 && i < layout.cells[d]) || (layout.wraps >> d & 1);
}

KERNEL prolong_and_relax(const Layout fine, const Layout coarse, const Transfer step, const Real* c,
                         const Real* inverse, const Real* b, const Real* x_coarse, Real* x) {
    Indices at = indices_of_thread();
    at.i = 2 * at.i + first_of(fine, 1, at.j, at.k);
    if (!is_own(fine, at)) return;
    const int64 first = fine.first, here = place_of(fine, at);
    const Real mine =
        x[first + here] + x_coarse[coarse.first + place_of(coarse, parent_of(step, at))];
    Real sides[SIDES], beside[SIDES];
    take_sides(fine, coefficients_of(fine, c), here, sides);
    take_beside(fine, x + first, here, beside);
#pragma unroll
    for (int side = 0; side < SIDES; ++side) {
        const int d = side / 2, move = side % 2 == 0 ? -1 : 1;
        if (!has_cell(fine, d, along(at, d) + move)) continue;
        const Indices next = {at.i + (d == 0 ? move : 0), at.j + (d == 1 ? move : 0),
                              at.k + (d == 2 ? move : 0)};
        beside[side] =
            beside[side] + x_coarse[coarse.first + place_of(coarse, parent_of(step, next))];
    }
    const Real value = relaxed(inverse[first + here], b[first + here], sum_of(sides, beside));
    put(fine, at, x + first, here,
        step.omega == Real(1) ? value : weighted(mine, step.omega, value));
}
