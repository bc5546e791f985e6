// Temperatures beyond the ends of the box; eq. (H9) of docs/src/theory/heat.md.
//
// theta in K, relative to the reference, at cell centres, padded rows with two layers of halo. A thread reads the own
// cell beside an end and writes the two values beyond it.
#include "thermal_ends.cuh"

KERNEL fill_thermal_ends(const End* ends, const Real* values, Real* theta) { beyond_end(ends, values, theta); }
