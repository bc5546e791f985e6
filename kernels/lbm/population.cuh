// How populations are stored: as numbers, or in 16 bits; eq. (L18) of docs/src/theory/lbm.md. Twin of
// crates/lbm/src/population.rs.
#pragma once
#include "device.cuh"

// 16-bit numbers are stored in these units: populations less their weights are small.
constexpr float UNIT = 1.0f / 32768.0f;

// The number that a stored population stands for.
INLINE float number_of(float x) { return x; }
INLINE double number_of(double x) { return x; }
INLINE float number_of(half16 x) { return widened(x) * UNIT; }

// The nearest population: `f[place] = population_of<Stored>(x)`.
template <class T> INLINE T population_of(Real x) { return narrowed_to<T>(x); }
template <> INLINE half16 population_of<half16>(Real x) { return narrowed_to<half16>(x * (1.0f / UNIT)); }
