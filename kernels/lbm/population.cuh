// How populations are stored: as numbers, or in 16 bits; eq. (L18) of docs/src/theory/lbm.md. Twin of
// crates/lbm/src/population.rs.
#pragma once
#include "device.cuh"

// Populations are stored in these units: 16-bit numbers in small ones, as populations less their weights are small. A power of
// two: numbers have the same digits in them.
constexpr Real UNIT = sizeof(Stored) == 2 ? Real(1.0 / 32768.0) : Real(1);

// The number that a stored population stands for, and the nearest population.
INLINE Real number_of(Stored x) { return widened(x) * UNIT; }
INLINE Stored population_of(Real x) { return narrowed_to<Stored>(x * (Real(1) / UNIT)); }
