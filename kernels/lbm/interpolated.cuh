// What comes back from a body between the centres of cells: interpolated bounce-back; eq. (L14b) of
// docs/src/theory/lbm.md. Twin of crates/lbm/src/interpolated.rs and leak.rs.
#pragma once
#include "device.cuh"

// Of what left the cell towards the wall, of what flies towards the cell from behind, and of what left it away from
// the wall.
INLINE Real back_from_body(const Real towards, const Real behind, const Real away, const Real of_towards,
                           const Real of_behind, const Real of_away, const Real add) {
    return of_towards * towards + of_behind * behind + of_away * away + add;
}

// Units in which a leak is counted, in one of density.
constexpr double LEAK_UNITS = 70368744177664.0;

// What comes back to a cell more than has left it, in whole units; eq. (L14c).
INLINE int64 leak_in_units(const Real back, const Real left) {
    const double units = (static_cast<double>(back) - static_cast<double>(left)) * LEAK_UNITS + 0.5;
    return fabs(units) < 4e18 ? static_cast<int64>(floor(units)) : 0;
}

// The population at rest of a cell less the leak of so many links; eq. (L14c).
INLINE Real without_leak(const Real at_rest, const int64 leak, const double share, const uint32 links) {
    return at_rest - static_cast<Real>(static_cast<double>(leak) * share * static_cast<double>(links));
}
