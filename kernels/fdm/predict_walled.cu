// Euler's step of the temperature beside solid boxes and bodies; eqs. (H5) to (H7), (H23) of docs/src/theory/heat.md.
//
// Arrays as in predict_temperature.cu. Thread n does cell n of the lists in walled.cuh, of which none comes twice: it
// reads theta with two layers on all sides, without edges, and writes predicted in its own cell. warming: its one slot is
// raised, in K.
#include "fdm/reductions.cuh"
#include "fdm/walled.cuh"

KERNEL predict_walled(const Layout layout, const Conductor conductor, const int central, const Interval* interval,
                      const int count, const int64* places, const int64* faces, const uint32* walls,
                      const Real* numbers, const Real* u, const Real* v, const Real* w, const int has_source,
                      const Real* source, const Real* theta, Real* predicted, Real* warming) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    Bits most[1] = {0};
    if (n < count) {
        const Real dt = interval->dt;
        const WalledCells cells = {places, faces, walls, numbers, count};
        const Real* const velocity[3] = {u, v, w};
        const int64 place = places[n];
        const Real before = theta[place];
        Real after = with_walled_fluxes(layout, conductor, central, dt, cells, n, theta, velocity, before);
        if (has_source) after = after + dt * source[place];
        predicted[place] = after;
        most[0] = bits_of(after - before);
    }
    note(warming, 0, most);
}
