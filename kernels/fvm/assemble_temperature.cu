// The equation of the temperature's correction, and how far from solved the temperature's is; eqs. (H5) and (H12) of
// docs/src/theory/heat.md. Twin of `assemble` in crates/fvm/src/cpu/transported.rs.
//
// Arrays as in assemble.cu. face_velocity in m/s: read on the low faces of own cells and the high ones of the last.
// theta, theta_last, theta_before: temperature in K, relative to the reference, now and after the last two time steps;
// theta is read with two halo cells, without edges. source in K/s: own cells are read, if there is one. marks: own cells are read, if there are any; the equations of marked ones have a solution of
// zero. a in 1/s: coefficients of the neighbours, low and high of each
// direction; inverse in s: one over the diagonal; residual in K/s; each thread writes those of its own cells, in halves, see
// place_in_halves. reductions: HEAT is raised. Shared memory: one number.
#include "fvm/reductions.cuh"
#include "fvm/thermal_balance.cuh"

KERNEL assemble_temperature(const Layout layout, const Heat heat, const Factors* factors,
                            const unsigned char* kinds, const Real* face_velocity, const int has_source,
                            const Real* source, const int has_marks, const unsigned char* marks, const Real* theta, const Real* theta_last,
                            const Real* theta_before, Real* a, Real* inverse, Real* residual, int64* reductions) {
    const Factors factor = *factors;
    const int64 length = length_of(layout);
    const Real over_alpha = factor.latest > Real(0) ? Real(1) : heat.over_alpha;
    Bits most = 0;
    for (Indices at = indices_of_thread(); is_own(layout, at); advance(at)) {
        const int64 here = place_of(layout, at), in_halves = place_in_halves(layout, at);
        ThermalBalance balance;
        balance.diagonal = factor.latest;
        balance.residual =
            (factor.last * theta_last[here] - factor.before * theta_before[here]) - factor.latest * theta[here];
        if (has_source) balance.residual += source[here];
#pragma unroll
        for (int d = 0; d < DIRECTIONS; ++d) {
            const Real* const velocity = face_velocity + d * length + here;
            const int64 stride = stride_of(layout, d);
            if (heat.scheme == CENTRAL) {
                add_heat<CENTRAL>(balance, heat, kinds + here, velocity, theta + here, stride, d);
            } else {
                add_heat<VAN_LEER>(balance, heat, kinds + here, velocity, theta + here, stride, d);
            }
        }
#pragma unroll
        for (int side = 0; side < SIDES; ++side) a[side * length + in_halves] = balance.a[side];
        const bool is_marked = has_marks && marks[here] != 0;
        if (is_marked) balance.residual = Real(0);
        inverse[in_halves] = is_marked ? Real(0) : Real(1) / (balance.diagonal * over_alpha);
        residual[in_halves] = balance.residual;
        most = larger(most, bits_of(balance.residual));
    }
    note_largest(reductions + HEAT, most);
}
