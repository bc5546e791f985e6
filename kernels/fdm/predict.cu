// The prediction F, G, H: velocity advanced by convection, diffusion and force; eqs. (F1) to (F4) of
// docs/src/theory/fdm.md.
//
// u, v, w in m/s on low faces, padded rows, are read with one halo cell on all sides, edges
// included. f, g, h: the same layout; each thread writes the faces of a column of own cells, except
// those with prescribed values. In plane flows w and h are not touched.
#include "fdm/predict.cuh"

// The prediction of a column.
template <bool CENTRAL>
INLINE void predict_column(const Layout& layout, const Fluid& fluid, const Interval& now, const Column& column,
                           const Near& near, Real* const prediction[3]) {
#pragma unroll
    for (int r = 0; r < PREDICTED; ++r) {
        if (r >= column.length) break;
#pragma unroll
        for (int a = 0; a < DIRECTIONS; ++a) {
            const Real rate = rate_of_change<CENTRAL>(fluid, now, a, near, r);
            const Real before = value_at(near, a, r, NONE, NONE);
            const Real advanced = is_open(column.flags[r], a) * (before + now.dt * rate);
            if (is_free(column.flags[r], a))
                prediction[a][r * stride_of(layout, LAST)] = advanced;
        }
    }
}

KERNEL predict(const Layout layout, const Fluid fluid, const Interval* interval,
               const unsigned char* faces, const Real* u, const Real* v, const Real* w, Real* f,
               Real* g, Real* h) {
    const Indices first = first_of(PREDICTED);
    if (!is_own_cell(layout, first)) return;
    const Column column = column_at(layout, first, faces);
    const Real* const velocity[3] = {u + column.at, v + column.at, w + column.at};
    Real* const prediction[3] = {f + column.at, g + column.at, h + column.at};
    const Near near = near_column(layout, column.length, velocity);
    const Interval now = *interval;
    if (now.gamma == Real(0)) {
        predict_column<true>(layout, fluid, now, column, near, prediction);
    } else {
        predict_column<false>(layout, fluid, now, column, near, prediction);
    }
}
