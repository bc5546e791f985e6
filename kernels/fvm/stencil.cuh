// The arithmetic of the method on single values: twin of crates/fvm/src/stencil.rs, with the same names
// and order of operations, so that both give the same bits. Equations (V4) to (V10), (V24) and (V26) of
// docs/src/theory/fvm.md, (H5), (H11) and (H12) of docs/src/theory/heat.md.
#pragma once
#include "device.cuh"

// What a face is: between two cells of the flow; with prescribed velocity; with prescribed pressure;
// in a plane of symmetry.
constexpr int OPEN = 0, FIXED = 1, OUTLET = 2, MIRROR = 3;
// The bit of cells that are not in the flow.
constexpr int SOLID = 1 << 6;
// That of cells whose equations complete_beside_bodies.cu completes, and of solid cells that bodies' faces end at.
constexpr int BESIDE_BODY = 1 << 7;
constexpr int IN_BODY = SOLID | BESIDE_BODY;

// Schemes of convection.
constexpr int UPWIND = 0, CENTRAL = 1, QUICK = 2, VAN_LEER = 3;

// Kind of the low face in a direction, from a cell's bits.
INLINE int kind_of(unsigned char bits, int direction) { return bits >> (2 * direction) & 3; }

// The larger of a number and zero.
INLINE Real positive(Real x) { return x > Real(0) ? x : Real(0); }

// Coefficient of the neighbour across a face, in 1/s: diffusion, and what flows in from there; eq.
// (V4). `inward` is the velocity into the cell divided by the spacing.
INLINE Real coefficient(int kind, Real diffusion, Real inward) {
    const Real convection = positive(inward);
    if (kind == OPEN) return diffusion + convection;
    if (kind == FIXED) return Real(2) * diffusion + convection;
    return kind == MIRROR ? Real(2) * diffusion : Real(0);
}

// Velocity at a convective outlet: `inner` is carried to it at this rate, in 1/s, and `known` is what the last
// time steps leave, whose latest weight is `latest`; eq. (V20).
INLINE Real carried(Real known, Real inner, Real rate, Real latest) {
    return (known + rate * inner) / (latest + rate);
}

// A flux in m/s in whole units, of which so many are 1 m/s; eq. (V21). What no unit can be counted of is none.
INLINE int64 flux_in_units(Real flux, Real units) {
    const Real whole = flux * units;
    return fabs(whole) < 4e18 ? static_cast<int64>(whole) : 0;
}

// How far a face's value is from that of the cell upstream; eq. (V5). `after` is the difference from
// there to the cell downstream, `before` to it from the next one upstream, or at a wall from the
// wall's value, half as far away.
template <int SCHEME> INLINE Real beyond_upwind(Real after, Real before, bool at_wall) {
    if (SCHEME == CENTRAL) return Real(0.5) * after;
    if (SCHEME == QUICK) {
        if (at_wall) return (after + before) / Real(3);
        return Real(0.375) * after + Real(0.125) * before;
    }
    if (SCHEME == VAN_LEER) {
        if (at_wall) before = Real(2) * before;
        const Real product = before * after;
        return product > Real(0) ? product / (before + after) : Real(0);
    }
    return Real(0);
}

// Velocities in four cells across a face, two on each side, and what lies beyond the inner two.
struct Across {
    Real next_low, low, high, next_high;
    int kind;         // of the face itself
    int below, above;  // kinds of the faces below and above it
};

// How far a face's value is beyond the upwind one if v flows through it; eq. (V5). `inside_high` tells
// on which side the cell is that asks: a prescribed value counts where the flow leaves the cell.
// `normal` tells that the component is that across the face.
template <int SCHEME>
INLINE Real beyond_upwind_at(const Across& across, Real v, bool inside_high, bool normal) {
    if (across.kind == OPEN) {
        const bool forward = v >= Real(0);
        const Real up = forward ? across.low : across.high;
        const Real down = forward ? across.high : across.low;
        const Real next = forward ? across.next_low : across.next_high;
        const int there = forward ? across.below : across.above;
        const bool at_wall = there == FIXED || (there == MIRROR && normal);
        return beyond_upwind<SCHEME>(down - up, up - next, at_wall);
    }
    const bool leaves = inside_high ? v < Real(0) : v > Real(0);
    if (across.kind != FIXED || !leaves) return Real(0);
    return inside_high ? across.low - across.high : across.high - across.low;
}

// The other side of a cell in the same direction.
struct Other {
    int kind;
    Real next;     // pressure in the next cell there
    Real outlet_pressure;  // pressure that an outlet there prescribes
};

// Pressure at a face of a cell with pressure p, in m2/s2; eq. (V7): the mean of two cells, what an
// outlet prescribes, the same as in the cell at a mirror, and at a wall along the line through the
// cell and what lies on its other side.
INLINE Real pressure_at(int kind, Real p, Real next, Real outlet_pressure, const Other& other) {
    if (kind == OPEN) return Real(0.5) * (p + next);
    if (kind == OUTLET) return outlet_pressure;
    if (kind == MIRROR) return p;
    const Real drop = other.kind == OPEN     ? Real(0.5) * (p - other.next)
                      : other.kind == OUTLET ? p - other.outlet_pressure
                                             : Real(0);
    return p + drop;
}

// Three cells in a row, and what lies between them.
struct Three {
    Real low, p, high;          // pressures in m2/s2
    int kind_low, kind_high;    // kinds of the faces between
    Real out_low, out_high;     // pressures that outlets there prescribe
};

// Pressure gradient in the middle cell; eq. (V6).
INLINE Real gradient(const Three& of, Real inverse_h) {
    const Other below = {of.kind_low, of.low, of.out_low};
    const Other above = {of.kind_high, of.high, of.out_high};
    const Real at_low = pressure_at(of.kind_low, of.p, of.low, of.out_low, above);
    const Real at_high = pressure_at(of.kind_high, of.p, of.high, of.out_high, below);
    return (at_high - at_low) * inverse_h;
}

// What is weighed between the two cells of a face; eq. (V9).
struct Pair {
    Real low, high;
};
INLINE Real mean_of(const Pair& pair) { return Real(0.5) * (pair.low + pair.high); }
INLINE Real rise_of(const Pair& pair) { return pair.high - pair.low; }

// What lifts a face's velocity above the mean of its two cells: the difference between mean and local
// pressure gradient, the part of the relaxation and that of the time step; eq. (V9). `diagonal` is the
// mean of the two cells' relaxed diagonals; `before` is how far the face was above the mean in the last
// iteration, `history` the same for past steps, over their time steps.
INLINE Real rhie_chow_correction_of(const Pair& gradients, const Pair& pressures, Real inverse_h, Real diagonal,
                    Real one_minus_alpha, Real before, Real history) {
    const Real bracket = mean_of(gradients) - rise_of(pressures) * inverse_h;
    return (bracket + history) / diagonal + one_minus_alpha * before;
}

// What is missing in the velocity through an open face, times the mean of the two cells' diagonals, which is `diagonal`;
// eq. (V24). `above` is how far it is above the mean, `asked` what a finer grid asks for.
INLINE Real missing_on_face(const Pair& gradients, const Pair& pressures, Real inverse_h, Real diagonal, Real above,
                            Real asked) {
    const Real bracket = mean_of(gradients) - rise_of(pressures) * inverse_h;
    return (bracket + asked) - diagonal * above;
}

// A coarse cell's correction as it counts beside it: that of the next cell, or at a face that is not open the negative one
// where the value is fixed, else the same; eq. (V26).
INLINE Real correction_beside(bool is_open, bool fixes, Real own, Real next) {
    if (is_open) return next;
    return fixes ? -own : own;
}

// A fine cell's correction, from those of its coarse cell and of the nearest one in each direction, its own in a direction
// that a plane flow does not have; eq. (V26).
INLINE Real prolonged(Real own, const Real (&beside)[3]) {
    return own + Real(0.25) * (((beside[0] - own) + (beside[1] - own)) + (beside[2] - own));
}

// Diagonal of the equation that links velocity to pressure corrections, in 1/s; eq. (V10): the relaxed
// one itself (SIMPLE), or less its neighbours' coefficients (SIMPLEC).
INLINE Real pressure_diagonal(Real share, Real storage, Real diagonal) { return share * diagonal + storage; }

// Coefficient of the temperature beyond a face, in 1/s; eq. (H12). `fixed` is one where an end of the box has a
// temperature, else zero; `inward` as in `coefficient`.
INLINE Real thermal_coefficient(int kind, Real diffusion, Real fixed, Real inward) {
    if (kind == OPEN) return diffusion + positive(inward);
    return fixed * (Real(2) * diffusion + positive(inward));
}

// Heat that passes a face from its low to its high side with the velocity v across it, between temperatures of two
// cells on each side, over density and heat capacity; eqs. (H5), (V5). `diffusion` is alpha / h in m/s.
template <int SCHEME>
INLINE Real heat_flux(Real v, Real next_low, Real low, Real high, Real next_high, Real diffusion) {
    const bool forward = v >= Real(0);
    const Real up = forward ? low : high, down = forward ? high : low;
    const Real next = forward ? next_low : next_high;
    const Real on_face = up + beyond_upwind<SCHEME>(down - up, up - next, false);
    return v * on_face - diffusion * (high - low);
}

// Buoyancy on a face between two cells, in m/s2; eq. (H11).
INLINE Real buoyancy_at(Real theta, Real next, Real lift) { return lift * (Real(0.5) * (theta + next)); }

// The same on any face of a cell; a wall has none of its own.
INLINE Real buoyancy_on(int kind, Real theta, Real next, Real lift) {
    return kind == OPEN ? buoyancy_at(theta, next, lift) : kind == OUTLET ? lift * theta : Real(0);
}

// Buoyancy in a cell in one direction in m/s2, from temperatures `low`, `theta`, `high` of the cells in a row and the
// kinds of the faces between them; eq. (H11): the mean of both faces, of which a wall has the value of the other one.
INLINE Real buoyancy(Real low, Real theta, Real high, int kind_low, int kind_high, Real lift) {
    const Real at_low = buoyancy_on(kind_low, theta, low, lift), at_high = buoyancy_on(kind_high, theta, high, lift);
    const Real below = kind_low == FIXED ? at_high : at_low;
    const Real above = kind_high == FIXED ? at_low : at_high;
    return Real(0.5) * (below + above);
}

// A residual's magnitude in whole units, to be summed exactly; nothing if it is not a number.
INLINE uint64 in_units(Real residual, Real units) {
    const double all = static_cast<double>(fabs(residual) * units + Real(0.5));
    if (!(all < 9223372036854775808.0)) return all == all ? 0x7fffffffffffffffULL : 0;
    return static_cast<uint64>(all);
}

// Velocity on the face between a cell of the flow and a body, in m/s; eq. (V18): on the line through the wall, `share`
// of the way to the next centre, and the cell, or the one opposite if the wall is nearer than the face. Without an
// open face there it is the wall's.
INLINE Real velocity_at_body(Real share, Real wall, Real here, Real opposite, bool is_open) {
    if (share >= Real(0.5)) return wall + (here - wall) * ((share - Real(0.5)) / share);
    if (is_open) return wall + (opposite - wall) * ((share - Real(0.5)) / (Real(1) + share));
    return wall;
}

// Velocity through such a face after an outer iteration, from those before and as it asks for; eq. (V19).
INLINE Real relaxed_at_body(Real before, Real now) { return Real(0.7) * before + Real(0.3) * now; }

// Least share of the way to the next centre at which a wall is felt. What diffuses to nearer ones would make the
// diagonals of neighbouring cells so different that a correction of the pressure overshoots in one of them.
constexpr Real LEAST_SHARE = Real(0.1);

// The share of the way at which a wall is felt; eq. (V17).
INLINE Real felt_share(Real share) { return share > LEAST_SHARE ? share : LEAST_SHARE; }

// Velocity there in m/s, of a wall that may be nearer; eq. (V17): on the line through the wall and the cell opposite.
INLINE Real felt_velocity(Real share, Real wall, Real opposite, bool is_open) {
    const Real beyond = (felt_share(share) - share) / (Real(1) + share);
    return is_open ? wall + (wall - opposite) * beyond : wall;
}

// Coefficient of a wall across such a face, in 1/s; eq. (V17). `inward` as in `coefficient`.
INLINE Real coefficient_at_body(Real share, Real diffusion, Real inward) {
    return diffusion / felt_share(share) + positive(inward);
}

// What a wall and the velocity on the face before it bring into the cell, in m/s2; eqs. (V17) and (V5). `felt` is the
// wall's velocity as it is felt, `beyond` the value that stood there for a wall at rest.
INLINE Real source_at_body(Real share, Real diffusion, Real inward, Real blend, Real felt, Real at_face,
                           Real beyond) {
    const Real diffused = diffusion / felt_share(share) * felt;
    const Real carried = positive(inward) * at_face - blend * positive(-inward) * (at_face - beyond);
    return diffused + carried;
}

// By how much what is carried beyond upwind through the face opposite to a body's grows because the value before that
// is `at_face` and not `beyond`; eq. (V5). `outward` leaves the cell there, `after` is the difference to the next cell.
template <int SCHEME>
INLINE Real change_opposite(Real outward, Real after, Real here, Real at_face, Real beyond) {
    const Real now = beyond_upwind<SCHEME>(after, here - at_face, true);
    const Real old = beyond_upwind<SCHEME>(after, here - beyond, true);
    return positive(outward) * (now - old);
}

// What flows through a face, in whole units with a sign, to be summed exactly.
INLINE int64 signed_in_units(Real flow, Real units) {
    const int64 magnitude = static_cast<int64>(in_units(flow, units));
    return flow < Real(0) ? -magnitude : magnitude;
}

// The sum of such units from its low 32 bits and the higher ones, in units of 1.
INLINE Real sum_of_units(int64 low, int64 high) {
    return static_cast<Real>(high) * Real(4294967296.0) + static_cast<Real>(low);
}
