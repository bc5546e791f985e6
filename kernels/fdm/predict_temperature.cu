// Euler's step of the temperature, the first half of Heun's; eqs. (H5) to (H7) of docs/src/theory/heat.md.
//
// theta in K, relative to the reference, at cell centres, padded rows with LAYERS of halo, is read with two layers on
// all sides, without edges. u, v, w in m/s on low faces, padded rows, are read up to the first halo cell on the high
// side. source in K/s: own cells are read, in places as theta, if there is one. marks: own cells are read, in the same
// places, if there are any; marked ones stay as they are. predicted: as theta; each thread writes an own cell. warming: its one slot is
// raised, in K.
#include "fdm/reductions.cuh"
#include "fdm/temperature.cuh"

KERNEL predict_temperature(const Layout layout, const Conductor conductor, const int central,
                           const Interval* interval, const Real* u, const Real* v, const Real* w,
                           const int has_source, const Real* source, const int has_marks, const unsigned char* marks, const Real* theta, Real* predicted, Real* warming) {
    const Real dt = interval->dt;
    Bits most[1] = {0};
    const Indices at = indices_of_thread();
    if (is_own_cell(layout, at)) {
        const int64 place = thermal_place(layout, at), face = cell_at(layout, at.i, at.j, at.k).whole;
        const Real* const velocity[3] = {u + face, v + face, w + face};
        const Real before = theta[place];
        Real after = before;
        if (!has_marks || marks[place] == 0) {
            after = warmed(layout, conductor, central, dt, theta + place, velocity, before);
            if (has_source) after += dt * source[place];
        }
        predicted[place] = after;
        most[0] = larger(most[0], bits_of(after - before));
    }
    note(warming, 0, most);
}
