// The arithmetic of the scheme on single values: twin of crates/fdm/src/stencil.rs, with the same
// names and order of operations, so that both give the same bits. Equations (F2) to (F8), (F11),
// (F12) and (F15) of docs/src/theory/fdm.md, (H5) and (H6) of docs/src/theory/heat.md.
#pragma once
#include "device.cuh"

// Coefficients of `transport` in one direction.
struct Transport {
    Real diffusion;  // nu / h2 in 1/s
    Real inverse_h;  // 1 / h in 1/m
    Real gamma;      // share of the donor cell
    Real half;       // one half, in the fields' own type
};

// Coefficients of the fluxes of a scalar in one direction.
struct Conduction {
    Real diffusion;  // alpha / h in m/s
    Real inverse_h;  // 1 / h in 1/m
    Real half;       // one half, in the fields' own type
};

INLINE float magnitude(float x) { return fabsf(x); }
INLINE double magnitude(double x) { return fabs(x); }

// Momentum carried through a face by the velocity `v` across it, between the values `low` and `high`
// on its two sides: central, blended with the donor cell by `gamma`; eq. (F3).
template <class T> INLINE T flux(T v, T low, T high, T gamma, T half) {
    return half * (v * (low + high)) + gamma * (half * (magnitude(v) * (low - high)));
}

// The same without the donor cell; eq. (F3) with gamma = 0.
INLINE Real flux_central(Real v, Real low, Real high, Real half) {
    return half * (v * (low + high));
}

// Diffusion less convection, whose fluxes are known; eqs. (F2), (F4).
INLINE Real carried(Real low, Real here, Real high, Real flux_low, Real flux_high,
                    const Transport& k) {
    const Real diffusion = k.diffusion * ((high - here) - (here - low));
    return diffusion - k.inverse_h * (flux_high - flux_low);
}

// Contribution of one direction to the rate of change of a velocity component: diffusion less
// convection; eqs. (F2) to (F4). `v_low` and `v_high` cross the low and the high side.
INLINE Real transport(Real low, Real here, Real high, Real v_low, Real v_high, const Transport& k) {
    return carried(low, here, high, flux(v_low, low, here, k.gamma, k.half),
                   flux(v_high, here, high, k.gamma, k.half), k);
}

// The same without the donor cell.
INLINE Real transport_central(Real low, Real here, Real high, Real v_low, Real v_high,
                              const Transport& k) {
    return carried(low, here, high, flux_central(v_low, low, here, k.half),
                   flux_central(v_high, here, high, k.half), k);
}

// What passes a face from its low to its high side with the velocity `v` across it, between two values on each side,
// by van Leer's scheme; eqs. (H5), (H6).
INLINE Real scalar_flux_van_leer(Real v, Real low2, Real low, Real high, Real high2, const Conduction& k) {
    const bool forward = v >= Real(0);
    const Real far = forward ? low2 : high2, near = forward ? low : high, beyond = forward ? high : low;
    const Real behind = near - far, ahead = beyond - near;
    const Real product = behind * ahead;
    const Real on_face = product > Real(0) ? near + product / (behind + ahead) : near;
    return v * on_face - k.diffusion * (high - low);
}

// The same by central differences; eqs. (H5), (H6).
INLINE Real scalar_flux_central(Real v, Real, Real low, Real high, Real, const Conduction& k) {
    return v * (k.half * (low + high)) - k.diffusion * (high - low);
}

// Velocity `q` advanced by its rate of change now and that before, with their weights; eq. (F15).
INLINE Real extrapolated(Real q, Real rate, Real before, Real weight, Real weight_before, Real dt) {
    return q + dt * (weight * rate - weight_before * before);
}

// Weighted sum of a cell's neighbours less the right-hand side, in a plane; eq. (F6).
INLINE Real defect_plane(Real west, Real east, Real south, Real north, Real b, Real a_x, Real a_y) {
    return (a_x * (west + east) + a_y * (south + north)) - b;
}

// Weighted sum of a cell's neighbours less the right-hand side; eq. (F6).
INLINE Real defect(Real west, Real east, Real south, Real north, Real bottom, Real top, Real b,
                   Real a_x, Real a_y, Real a_z) {
    return (a_x * (west + east) + a_y * (south + north) + a_z * (bottom + top)) - b;
}

// One over-relaxed update of a pressure; eq. (F6). `d` is the inverse diagonal, zero in solids.
INLINE Real relaxed(Real p, Real d, Real defect, Real omega, Real keep) {
    return keep * p + omega * (d * defect);
}

// Velocity corrected by the pressure difference across its face; eq. (F8). `open` is one where the
// face lies in the flow and zero where it is a wall.
INLINE Real projected(Real f, Real low, Real high, Real dt_h, Real open) {
    return open * (f - dt_h * (high - low));
}

// Velocity at an outlet, corrected by the pressure drop over half a cell; eq. (F11). `gradient` is
// twice the inverse spacing, outward.
INLINE Real released(Real f, Real p, Real pressure, Real gradient, Real dt) {
    return f - dt * gradient * (pressure - p);
}

// A value outside the flow, made from two inside; eq. (F12).
INLINE Real mirrored(Real first, Real second, Real sign, Real add, Real half) {
    return add + sign * (half * (first + second));
}

// A sum with one more value and its weight; eq. (F17).
INLINE Real with_source(Real sum, Real weight, Real value) { return sum + weight * value; }

// A flux in m/s in whole units of which `steps` are 1 m/s; eq. (F19). What no unit can be counted of is none.
INLINE int64 flux_in_steps(Real flux, double steps) {
    const double units = static_cast<double>(flux) * steps;
    return fabs(units) < 4e18 ? static_cast<int64>(units) : 0;
}

// Velocity at the face of a convective outlet, carried on to it from the face inside; `courant` is the
// outlet's speed over the spacing times the step, which counts as 1 at most; eq. (F20).
INLINE Real carried_on(Real here, Real inner, Real courant) {
    const Real share = courant < Real(1) ? courant : Real(1);
    return here + share * (inner - here);
}

// Velocity along a convective outlet, carried on from the new one inside; eq. (F20).
INLINE Real carried_with(Real here, Real inner, Real courant) {
    return (here + courant * inner) / (Real(1) + courant);
}

// What leaks into a body at each of its faces in m/s, each unit of it being a share; eq. (F19).
INLINE Real leak_of_face(int64 leak, double share) {
    return static_cast<Real>(static_cast<double>(leak) * share);
}

// Velocity at a face of a body less what leaks into it there; eq. (F19).
INLINE Real closed(Real u, Real outward, Real leak) { return u - outward * leak; }

// What a step did to a velocity, in m/s2; `inverse` is one over its length. Eqs. (F23), (F24).
INLINE Real rate_of(Real after, Real before, Real inverse) { return inverse * (after - before); }

// Change of a finer grid's face from that of the coarser one's face which it is a part of, and from how much those beside
// change more; eq. (F25).
INLINE Real prolonged(Real own, const Real (&beside)[3]) {
    return own + Real(0.25) * (beside[0] + beside[1] + beside[2]);
}
