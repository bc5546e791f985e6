// The rest of Heun's step of the temperature from Euler's; eqs. (H5) to (H7) of docs/src/theory/heat.md.
//
// predicted in K, relative to the reference, at cell centres, padded rows with LAYERS of halo, is read with two layers on
// all sides, without edges. u, v, w in m/s on low faces, padded rows, are read up to the first halo cell on the high
// side. source in K/s: own cells are read, in places as theta, if there is one. marks: as in
// predict_temperature.cu. theta: as predicted; each thread reads and writes one own cell.
#include "fdm/temperature.cuh"

KERNEL correct_temperature(const Layout layout, const Conductor conductor, const int central,
                           const Interval* interval, const Real* u, const Real* v, const Real* w,
                           const int has_source, const Real* source, const int has_marks, const unsigned char* marks, const Real* predicted, Real* theta) {
    const Indices at = indices_of_thread();
    if (!is_own_cell(layout, at)) return;
    const int64 place = thermal_place(layout, at), face = cell_at(layout, at.i, at.j, at.k).whole;
    if (has_marks && marks[place] != 0) return;
    const Real* const velocity[3] = {u + face, v + face, w + face};
    const Real half = Real(0.5), half_dt = half * interval->dt;
    const Real mean = half * (theta[place] + predicted[place]);
    Real after = warmed(layout, conductor, central, half_dt, predicted + place, velocity, mean);
    if (has_source) after += half_dt * source[place];
    theta[place] = after;
}
