// The rest of Heun's step of the temperature beside solid boxes and bodies; eqs. (H5) to (H7), (H23) of
// docs/src/theory/heat.md.
//
// Arrays as in correct_temperature.cu, lists as in predict_walled.cu. Thread n reads predicted with two layers on all
// sides of its cell, without edges, and reads and writes theta in its own cell.
#include "fdm/walled.cuh"

KERNEL correct_walled(const Layout layout, const Conductor conductor, const int central, const Interval* interval,
                      const int count, const int64* places, const int64* faces, const uint32* walls,
                      const Real* numbers, const Real* u, const Real* v, const Real* w, const int has_source,
                      const Real* source, const Real* predicted, Real* theta) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count) return;
    const WalledCells cells = {places, faces, walls, numbers, count};
    const Real* const velocity[3] = {u, v, w};
    const int64 place = places[n];
    const Real half = Real(0.5), half_dt = half * interval->dt;
    const Real mean = half * (theta[place] + predicted[place]);
    Real after =
        with_walled_fluxes(layout, conductor, central, half_dt, cells, n, predicted, velocity, mean);
    if (has_source) after = after + half_dt * source[place];
    theta[place] = after;
}
