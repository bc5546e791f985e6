// The momentum equations of all components, and how far from solved they are; eqs. (V3) to (V8) of
// docs/src/theory/fvm.md. Twin of crates/fvm/src/cpu/assemble.rs.
//
// Arrays have padded rows, one component after the other, with two halo cells. kinds: what low faces and
// cells are, see stencil.cuh. u, u_last, u_before: velocity in m/s now and after the last two time
// steps, u read with two halo cells in each direction. p: pressure in m2/s2 and through: velocity
// through low faces in m/s, read with one. a in 1/s: coefficients of the neighbours, low and high of
// each direction; diagonal in 1/s and inverse: relaxed diagonal and one over it; b in m/s2:
// right-hand sides; each thread writes those of its own cells, of a and b in halves, see place_in_halves. above: how far face velocities are
// above the means of the cells beside them, or at outlets above that inside, in m/s, for low faces of own cells and the high ones
// of the last. buoyancy in m/s2: own cells are read, in directions with a lift. reductions: MOMENTUM is raised, the sums
// are added. Shared memory: three numbers.
#include "fvm/field.cuh"
#include "fvm/reductions.cuh"

// What is around a cell along one direction: bits of the cell before and of the next two, velocities of the two cells
// before and after by component, and pressures and velocities through faces on both sides.
struct AlongCell {
    unsigned char before, after, next;
    Real u[DIRECTIONS][4];
    Real p[2], face_velocity[2];
};

// What the equations of a cell are made from. It is all loaded before anything is decided, so that no load waits for
// another.
struct NearCell {
    unsigned char bits;
    Real u[DIRECTIONS], p;
    AlongCell along[DIRECTIONS];
};

INLINE NearCell near_cell(const Layout& layout, const unsigned char* kinds, const Real* u, const Real* p,
                      const Real* face_velocity, int64 length, int64 here) {
    NearCell near;
    near.bits = kinds[here];
    near.p = p[here];
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) near.u[c] = u[c * length + here];
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        const int64 stride = stride_of(layout, d);
        AlongCell& along = near.along[d];
        along.before = kinds[here - stride];
        along.after = kinds[here + stride];
        along.next = kinds[here + 2 * stride];
#pragma unroll
        for (int c = 0; c < DIRECTIONS; ++c) {
            const Real* const of = u + c * length + here;
            along.u[c][0] = of[-2 * stride];
            along.u[c][1] = of[-stride];
            along.u[c][2] = of[stride];
            along.u[c][3] = of[2 * stride];
        }
        along.p[0] = p[here - stride];
        along.p[1] = p[here + stride];
        along.face_velocity[0] = face_velocity[d * length + here];
        along.face_velocity[1] = face_velocity[d * length + here + stride];
    }
    at_once(near.u);
    at_once(near.p);
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        at_once(near.along[d].u);
        at_once(near.along[d].p);
        at_once(near.along[d].face_velocity);
    }
    return near;
}

// Kinds of the faces around a cell along one direction: low faces of the cell before, the cell itself
// and the next two.
struct Around {
    int before, low, high, after;
};

INLINE Around around(const NearCell& near, int d) {
    const AlongCell& along = near.along[d];
    return {kind_of(along.before, d), kind_of(near.bits, d), kind_of(along.after, d), kind_of(along.next, d)};
}

// What the scheme carries beyond upwind differences out of a cell along one direction; eq. (V5).
template <int SCHEME>
INLINE Real correction_of(const Real (&u)[4], Real mine, const Around& kinds, Real v_low, Real v_high, bool normal) {
    const Across low = {u[0], u[1], mine, u[2], kinds.low, kinds.before, kinds.high};
    const Across high = {u[1], mine, u[2], u[3], kinds.high, kinds.low, kinds.after};
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

template <int SCHEME> INLINE void add_direction(Balance& balance, const Fluid& fluid, const NearCell& near, int d) {
    const Around kinds = around(near, d);
    const AlongCell& along = near.along[d];
    const Real v_low = along.face_velocity[0] * fluid.inverse_h[d];
    const Real v_high = along.face_velocity[1] * fluid.inverse_h[d];
    const Real a_low = coefficient(kinds.low, fluid.diffusion[d], v_low);
    const Real a_high = coefficient(kinds.high, fluid.diffusion[d], -v_high);
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) {
        const Real(&u)[4] = along.u[c];
        balance.known[c] -= fluid.blend * correction_of<SCHEME>(u, near.u[c], kinds, v_low, v_high, c == d);
        const Real part = a_low * (u[1] - near.u[c]) + a_high * (u[2] - near.u[c]);
        balance.implicit[c] = d == 0 ? part : balance.implicit[c] + part;
    }
    const Three three = {along.p[0], near.p, along.p[1], kinds.low, kinds.high, fluid.outlet_pressure[d][0],
                         fluid.outlet_pressure[d][1]};
    balance.known[d] -= gradient(three, fluid.inverse_h[d]);
    balance.diagonal += a_low + a_high;
    balance.a[2 * d] = a_low;
    balance.a[2 * d + 1] = a_high;
}

template <int SCHEME> INLINE Balance balance_of(const Fluid& fluid, const Real (&force)[3], const NearCell& near) {
    Balance balance;
    balance.diagonal = Real(0);
#pragma unroll
    for (int c = 0; c < DIRECTIONS; ++c) balance.known[c] = force[c];
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) add_direction<SCHEME>(balance, fluid, near, d);
    return balance;
}

// Notes how far the low faces of a cell are above the means, and the high ones of the last cells.
INLINE void keep_faces(const Layout& layout, const NearCell& near, const Indices& at, int64 here, int64 length, Real* above) {
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        const AlongCell& along_d = near.along[d];
        const Pair low = {along_d.u[d][1], near.u[d]}, high = {near.u[d], along_d.u[d][2]};
        Real* const of = above + d * length + here;
        if (kind_of(near.bits, d) == OPEN) of[0] = along_d.face_velocity[0] - mean_of(low);
        if (kind_of(near.bits, d) == OUTLET) of[0] = along_d.face_velocity[0] - near.u[d];
        if (along(at, d) + 1 != layout.cells[d]) continue;
        if (kind_of(along_d.after, d) == OPEN) of[stride_of(layout, d)] = along_d.face_velocity[1] - mean_of(high);
        if (kind_of(along_d.after, d) == OUTLET) of[stride_of(layout, d)] = along_d.face_velocity[1] - near.u[d];
    }
}
KERNEL assemble(const Layout layout, const Fluid fluid, const Factors* factors,
                const unsigned char* kinds, const Real* u, const Real* p, const Real* face_velocity,
                const Real* u_last, const Real* u_before, const Real* buoyancy, Real* a, Real* diagonal, Real* inverse,
                Real* b, Real* above, int64* reductions) {
    const int64 length = length_of(layout);
    Bits most = 0;
    uint64 low = 0, high = 0;
    for (Indices at = indices_of_thread(); is_own(layout, at); advance(at)) {
        const int64 here = place_of(layout, at), in_halves = place_in_halves(layout, at);
        const NearCell near = near_cell(layout, kinds, u, p, face_velocity, length, here);
        const Factors factor = *factors;
        const bool flows = !(near.bits & SOLID);
        Balance balance;
        switch (fluid.scheme) {
            case CENTRAL: balance = balance_of<CENTRAL>(fluid, factor.force, near); break;
            case QUICK: balance = balance_of<QUICK>(fluid, factor.force, near); break;
            case VAN_LEER: balance = balance_of<VAN_LEER>(fluid, factor.force, near); break;
            default: balance = balance_of<UPWIND>(fluid, factor.force, near);
        }
        const Real whole = balance.diagonal + factor.latest;
        const Real relaxed = whole * factor.over_alpha;
        diagonal[here] = relaxed;
        inverse[here] = flows ? Real(1) / relaxed : Real(0);
#pragma unroll
        for (int side = 0; side < 2 * DIRECTIONS; ++side) {
            a[side * length + in_halves] = balance.a[side];
        }
#pragma unroll
        for (int c = 0; c < DIRECTIONS; ++c) {
            const int64 place = c * length + here;
            if (fluid.lift[c] != Real(0)) balance.known[c] += buoyancy[place];
            const bool steady = is_steady(factor);
            const Real last = steady ? Real(0) : u_last[place];
            const Real before = steady ? Real(0) : u_before[place];
            const Real known = balance.known[c] + (factor.last * last - factor.before * before);
            const Real residual = (known + balance.implicit[c]) - factor.latest * near.u[c];
            b[c * length + in_halves] = known + (relaxed - whole) * near.u[c];
            if (near.bits & (SOLID | BESIDE_BODY)) continue;
            most = larger(most, bits_of(residual));
            const uint64 mine = in_units(residual, fluid.units);
            low += mine & 0xffffffffu;
            high += mine >> 32;
        }
        keep_faces(layout, near, at, here, length, above);
    }
    note_residuals(reductions, most, low, high);
}
