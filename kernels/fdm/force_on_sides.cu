// What surfaces feel of the velocities beside them; eq. (F22) of docs/src/theory/fdm.md. Twin of crates/fdm/src/forces.rs.
//
// gamma: share of the donor cell. u, v, w in m/s on low faces, padded rows; red, black: kinematic pressure in m2/s2 by
// colour. The rest as in forces.cuh.
#include "fdm/boundary.cuh"
#include "fdm/stencil.cuh"
#include "forces.cuh"

// A side of the cell around an open face of a velocity component, beyond which a surface gives the velocity; mirrored in
// crates/fdm/src/forces.rs.
struct ForceSide {
    int64 component;
    int64 direction;    // across the side
    int64 velocity[4];  // places of the component inside and beyond, and of two across whose mean crosses the side
    int64 pressure;     // 2 place + colour of the pressure there if the component pushes on it, else -1
    double outward;     // 1 on the high side, -1 on the low one
    double share;       // what counts of its area
    double turns;       // 1 if the torque is that of the whole friction, else 0
    double arm[2];      // of the torque in m
};
static_assert(sizeof(ForceSide) == 12 * 8, "mirrored in Rust");

// Numbers of a case; mirrored there.
struct ForceScales {
    double viscosity;   // m2/s
    double spacing[3];  // m
    double mass[3];     // density times the area of a face across each direction, kg/m (of a plane flow kg/m2)
    double rise[3];     // of the kinematic pressure over half a cell by the body force, m2/s2
};

KERNEL force_on_sides(const int64* first, const double* units, const ForceSide* parts, int64* sums,
                      const ForceScales scales, const double gamma, const Real* u, const Real* v, const Real* w,
                      const Real* red, const Real* black) {
    ForceSum sum = no_force();
    const int surface = surface_of_block();
    for (int64 n = first_part(first); n < first[surface + 1]; n += parts_at_once()) {
        const ForceSide side = parts[n];
        const int a = static_cast<int>(side.component), d = static_cast<int>(side.direction);
        const Real* const along = component_of(a, u, v, w);
        const Real* const across = component_of(d, u, v, w);
        const double here = along[side.velocity[0]], beyond = along[side.velocity[1]];
        const double before = across[side.velocity[2]], behind = across[side.velocity[3]];
        const bool is_high = side.outward > 0.0;
        const double low = is_high ? here : beyond, high = is_high ? beyond : here;
        const double spacing = d == 0 ? scales.spacing[0] : d == 1 ? scales.spacing[1] : scales.spacing[2];
        const double mass = d == 0 ? scales.mass[0] : d == 1 ? scales.mass[1] : scales.mass[2];
        const double carried = flux(0.5 * (before + behind), low, high, gamma, 0.5);
        const double diffused = scales.viscosity * (high - low) / spacing;
        const Real* const pressures = side.pressure % 2 == 0 ? red : black;
        const double rise = d == 0 ? scales.rise[0] : d == 1 ? scales.rise[1] : scales.rise[2];
        const double pressure =
            side.pressure < 0 ? 0.0 : static_cast<double>(pressures[side.pressure / 2]) + side.outward * rise;
        const double width = a == 0 ? scales.spacing[0] : a == 1 ? scales.spacing[1] : scales.spacing[2];
        const double turned = side.turns * scales.viscosity * (behind - before) / width;
        const double all = carried - diffused + pressure;
        const double momentum = side.outward * all, turning = side.outward * (all - turned);
        double force[3], twist[3];
#pragma unroll
        for (int c = 0; c < 3; ++c) {
            force[c] = c == a ? side.share * mass * momentum : 0.0;
            twist[c] = c == a ? side.share * mass * turning : 0.0;
        }
        add_force(sum, force, torque_of(side.arm, twist), units + 2 * surface);
    }
    add_up(sum, sums + FORCE_SUMS * surface);
}
