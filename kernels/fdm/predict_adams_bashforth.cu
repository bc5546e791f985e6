// The prediction F, G, H by Adams and Bashforth: velocity advanced by its rates of change now and in
// the step before; eqs. (F2) to (F4) and (F15) of docs/src/theory/fdm.md.
//
// u, v, w in m/s on low faces, padded rows, are read with one halo cell on all sides, edges
// included. f, g, h: the same layout; each thread writes the faces of a column of own cells, except
// those with prescribed values. rate_u, rate_v, rate_w in m/s2: the same layout; of all these faces
// the rates of the step before are read and those of now written. In plane flows w, h and rate_w are
// not touched.
#include "fdm/predict.cuh"

// The prediction of a column.
template <bool CENTRAL>
INLINE void extrapolate_column(const Layout& layout, const Fluid& fluid, const Interval& interval,
                               const Column& column, const Near& near, Real* const rates[3],
                               Real* const prediction[3]) {
#pragma unroll
    for (int r = 0; r < PREDICTED; ++r) {
        if (r >= column.length) break;
        const int at = r * stride_of(layout, LAST);
#pragma unroll
        for (int a = 0; a < DIRECTIONS; ++a) {
            const Real rate = rate_of_change<CENTRAL>(fluid, interval, a, near, r);
            const Real here = value_at(near, a, r, NONE, NONE);
            const Real advanced =
                is_open(column.flags[r], a) * extrapolated(here, rate, rates[a][at],
                                                           interval.weights[0],
                                                           interval.weights[1], interval.dt);
            rates[a][at] = rate;
            if (is_free(column.flags[r], a)) prediction[a][at] = advanced;
        }
    }
}

KERNEL predict_adams_bashforth(const Layout layout, const Fluid fluid, const Interval* interval,
                               const unsigned char* faces, const Real* u, const Real* v,
                               const Real* w, Real* f, Real* g, Real* h, Real* rate_u,
                               Real* rate_v, Real* rate_w) {
    const Indices first = first_of(PREDICTED);
    if (!is_own_cell(layout, first)) return;
    const Column column = column_at(layout, first, faces);
    const Real* const velocity[3] = {u + column.at, v + column.at, w + column.at};
    Real* const prediction[3] = {f + column.at, g + column.at, h + column.at};
    Real* const rates[3] = {rate_u + column.at, rate_v + column.at, rate_w + column.at};
    const Near near = near_column(layout, column.length, velocity);
    const Interval now = *interval;
    if (now.gamma == Real(0)) {
        extrapolate_column<true>(layout, fluid, now, column, near, rates, prediction);
    } else {
        extrapolate_column<false>(layout, fluid, now, column, near, rates, prediction);
    }
}
