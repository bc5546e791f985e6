// What comes back from a body between the centres of cells: interpolated bounce-back; eq. (L14b) of
// docs/src/theory/lbm.md. Twin of crates/lbm/src/interpolated.rs.
#pragma once
#include "device.cuh"

// Of what left the cell towards the wall, of what flies towards the cell from behind, and of what left it away from
// the wall.
INLINE Real back_from_body(const Real towards, const Real behind, const Real away, const Real of_towards,
                           const Real of_behind, const Real of_away, const Real add) {
    return of_towards * towards + of_behind * behind + of_away * away + add;
}
