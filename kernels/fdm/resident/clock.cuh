// Length of a time step and share of the donor cell; twins of limits.rs and settings.rs in
// crates/fdm/src. Equations (F9), (F10) of docs/src/theory/fdm.md. All in double precision.
#pragma once
#include "device.cuh"

// What time steps are made from; mirrored in crates/fdm/src/resident/numbers.rs.
struct Pace {
    double spacing[2];         // m
    double viscosity;          // m2/s
    double boundary_speed[2];  // m/s
    double fixed_dt;           // s; 0: automatic
    double fixed_gamma;        // negative: automatic
    double safety;             // share of the stability limit
    double latest;             // s, which no step may pass
};
static_assert(sizeof(Pace) == 9 * sizeof(double), "mirrored in Rust");

// A moment of the flow, and the step that begins there.
struct Clock {
    double time;      // s
    double speed[2];  // m/s, largest magnitudes
    double dt;        // s
    double gamma;
};

// Chooses dt and gamma of the next step.
INLINE void choose_step(Clock& now, const Pace& pace) {
    const bool fixed = pace.fixed_gamma >= 0.0;
    const double left = pace.latest - now.time;
    if (fixed && pace.fixed_dt > 0.0) {  // nothing follows from the flow
        now.dt = pace.fixed_dt * (1.0 + 1e-9) >= left ? left : pace.fixed_dt;
        now.gamma = pace.fixed_gamma;
        return;
    }
    double diffusion = 0.0, waves = 0.0, crossing = 0.0;
    for (int d = 0; d < 2; ++d) {
        const double h = pace.spacing[d], u = fmax(now.speed[d], pace.boundary_speed[d]);
        const double nu = pace.viscosity + (fixed ? pace.fixed_gamma : 0.0) * u * h / 2.0;
        diffusion += 2.0 * nu / (h * h);
        waves += u * u / (2.0 * nu);
        crossing = fmax(crossing, u / h);
    }
    const double viscous = 1.0 / diffusion, courant = 1.0 / crossing;
    double shortest = fmin(viscous, courant);
    if (fixed) shortest = fmin(shortest, 1.0 / waves);
    const double dt = pace.fixed_dt > 0.0 ? pace.fixed_dt : pace.safety * shortest;
    // No sliver is left before the latest time.
    now.dt = dt * (1.0 + 1e-9) >= left ? left : dt;
    now.gamma = fixed ? pace.fixed_gamma : fmin(1.2 * crossing * now.dt, 1.0);
}

// The time after the step.
INLINE double end_of_step(const Clock& now, const Pace& pace) {
    return now.dt == pace.latest - now.time ? pace.latest : now.time + now.dt;
}
