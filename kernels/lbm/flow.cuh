// Density, velocity and temperature of an own cell, whatever is stored.
#pragma once
#include "lbm/heat.cuh"
#include "lbm/moments.cuh"

// f: populations less their weights in the places of layout.cuh, before a step of this parity, and warm those of heat; or
// moments, of which `layout` says where their rows lie.
INLINE Moments flow_of(const Layout& layout, const Indices& at, int parity, const Rates& rates, const HeatRates& heat,
                       const Stored* f, const Stored* warm, Real& temperature) {
    if (STORES_MOMENTS) {
        const int64 row = layout.first + layout.stride[1] * at.j + layout.stride[2] * at.k;
        return flow_of_moments(f + (row + place_in_row(at.i, layout.cells[0])), rates);
    }
    const Cell cell = cell_at(layout, parity, at);
    Real h[Q];
    take(layout, cell, f, h);
    return moments(h, rates_of_cell(layout, cell, rates, heat, warm, temperature));
}
