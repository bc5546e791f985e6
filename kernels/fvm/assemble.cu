// The momentum equations of all components, and how far from solved they are; eqs. (V3) to (V8) of
// docs/src/theory/fvm.md. Twin of crates/fvm/src/cpu/assemble.rs.
//
// Arrays have padded rows, one component after the other, with two halo cells. kinds: what low faces and
// cells are, see stencil.cuh. u, u_last, u_before: velocity in m/s now and after the last two time
// steps, u read with two halo cells in each direction. p: pressure in m2/s2 and through: velocity
// through low faces in m/s, read with one. a in 1/s: coefficients of the neighbours, low and high of
// each direction; diagonal in 1/s and inverse: relaxed diagonal and one over it; b in m/s2:
// right-hand sides; each thread writes those of its own cells. above: how far face velocities are
// above the means of the cells beside them, in m/s, for open low faces of own cells and the high ones
// of the last. buoyancy in m/s2: own cells are read, in directions with a lift. reductions: MOMENTUM is raised, the sums
// are added. Shared memory: three numbers.
#include "fvm/field.cuh"
#include "fvm/reductions.cuh"

// What the equations of a cell are made from.
struct Flow {
    const unsigned char* kinds;
    const Real* u;
    const Real* p;
    const Real* face_velocity;
    int64 length;
};

// Kinds of the faces around a cell along one direction: low faces of the cell before, the cell itself
// and the next two.
struct Around {
    int before, low, high, after;
};

INLINE Around around(const unsigned char* kinds, int64 here, int64 stride, int d) {
    return {kind_of(kinds[here - stride], d), kind_of(kinds[here], d),
            kind_of(kinds[here + stride], d), kind_of(kinds[here + 2 * stride], d)};
}

// What the scheme carries beyond upwind differences out of a cell along one direction; eq. (V5).
template <int SCHEME>
INLINE Real correction_of(const Real* u, const Around& kinds, int64 here, int64 stride, Real v_low,
                          Real v_high, bool normal) {
    const Real before = u[here - stride], mine = u[here], after = u[here + stride];
    const Across low = {u[here - 2 * stride], before,   mine, after, kinds.low,
                        kinds.before,         kinds.high};
    const Across high = {before,    mine,       after, u[here + 2 * stride], kinds.high,
                         kinds.low, kinds.after};
    const Real carried_low = v_low * beyond_upwind_at<SCHEME>(low, v_low, true, normal);
    const Real carried_high = v_high * beyond_upwind_at<SCHEME>(high, v_high, false, normal);
    return carried_high - carried_low;
}

// Coefficients of a cell, and by component what is explicit and what the neighbours ask for.
struct Balance {
    Real a[2 * DIRECTIONS];
    Real diagonal;
    Real known[DIRECTIONS];
    Real implicit[DIRECTIONS];
};

template <int SCHEME>
INLINE void add_direction(Balance& balance, const Fluid& fluid, const Flow& flow, int64 here,
                          int64 stride, int d) {
    const Around kinds = around(flow.kinds, here, stride, d);
    const Real* const face_velocity = flow.face_velocity + d * flow.length;
    const Real v_low = face_velocity[here] * fluid.inverse_h[d];
    const Real v_high = face_velocity[here + stride] * fluid.inverse_h[d];
    const Real a_low = coefficient(kinds.low, fluid.diffusion[d], v_low);
    const Real a_high = coefficient(kinds.high, fluid.diffusion[d], -v_high);
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) {
        const Real* const u = flow.u + c * flow.length;
        balance.known[c] -= fluid.blend * correction_of<SCHEME>(u, kinds, here, stride, v_low,
                                                                v_high, c == d);
        const Real part =
            a_low * (u[here - stride] - u[here]) + a_high * (u[here + stride] - u[here]);
        balance.implicit[c] = d == 0 ? part : balance.implicit[c] + part;
    }
    balance.known[d] -= gradient_at(flow.kinds, flow.p, here, stride, d, fluid.outlet_pressure[d],
                                    fluid.inverse_h[d]);
    balance.diagonal += a_low + a_high;
    balance.a[2 * d] = a_low;
    balance.a[2 * d + 1] = a_high;
}

template <int SCHEME>
INLINE Balance balance_of(const Layout& layout, const Fluid& fluid, const Real (&force)[3], const Flow& flow,
                          int64 here) {
    Balance balance;
    balance.diagonal = Real(0);
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) balance.known[c] = force[c];
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        add_direction<SCHEME>(balance, fluid, flow, here, stride_of(layout, d), d);
    }
    return balance;
}

// Notes how far the low faces of a cell are above the means, and the high ones of the last cells.
INLINE void keep_faces(const Layout& layout, const Flow& flow, const Indices& at, int64 here,
                       Real* above) {
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        const int64 stride = stride_of(layout, d);
        const Real* const face_velocity = flow.face_velocity + d * flow.length;
        const Real* const u = flow.u + d * flow.length;
        const int64 last = along(at, d) + 1 == layout.cells[d] ? here + stride : here;
        for (int64 face = here; face <= last; face += stride) {
            if (kind_of(flow.kinds[face], d) == OPEN) {
                above[d * flow.length + face] = above_mean(face_velocity, u, face, stride);
            }
        }
    }
}

KERNEL assemble(const Layout layout, const Fluid fluid, const Factors* factors,
                const unsigned char* kinds, const Real* u, const Real* p, const Real* face_velocity,
                const Real* u_last, const Real* u_before, const Real* buoyancy, Real* a, Real* diagonal, Real* inverse,
                Real* b, Real* above, int64* reductions) {
    const Factors factor = *factors;
    const int64 length = length_of(layout);
    const Flow flow = {kinds, u, p, face_velocity, length};
    Bits most = 0;
    uint64 low = 0, high = 0;
    for (Indices at = indices_of_thread(); is_own(layout, at); advance(at)) {
        const int64 here = place_of(layout, at);
        const bool flows = !(kinds[here] & SOLID);
        Balance balance;
        switch (fluid.scheme) {
            case CENTRAL: balance = balance_of<CENTRAL>(layout, fluid, factor.force, flow, here); break;
            case QUICK: balance = balance_of<QUICK>(layout, fluid, factor.force, flow, here); break;
            case VAN_LEER: balance = balance_of<VAN_LEER>(layout, fluid, factor.force, flow, here); break;
            default: balance = balance_of<UPWIND>(layout, fluid, factor.force, flow, here);
        }
        const Real whole = balance.diagonal + factor.latest;
        const Real relaxed = whole * factor.over_alpha;
        diagonal[here] = relaxed;
        inverse[here] = flows ? Real(1) / relaxed : Real(0);
#pragma unroll
        for (int side = 0; side < 2 * DIRECTIONS; ++side) {
            a[side * length + here] = balance.a[side];
        }
#pragma unroll
        for (int c = 0; c < DIRECTIONS; ++c) {
            const int64 place = c * length + here;
            if (fluid.lift[c] != Real(0)) balance.known[c] += buoyancy[place];
            const bool steady = is_steady(factor);
            const Real last = steady ? Real(0) : u_last[place];
            const Real before = steady ? Real(0) : u_before[place];
            const Real known = balance.known[c] + (factor.last * last - factor.before * before);
            const Real residual = (known + balance.implicit[c]) - factor.latest * u[place];
            b[place] = known + (relaxed - whole) * u[place];
            if (kinds[here] & (SOLID | BESIDE_BODY)) continue;
            most = larger(most, bits_of(residual));
            const uint64 mine = in_units(residual, fluid.units);
            low += mine & 0xffffffffu;
            high += mine >> 32;
        }
        keep_faces(layout, flow, at, here, above);
    }
    note_residuals(reductions, most, low, high);
}
