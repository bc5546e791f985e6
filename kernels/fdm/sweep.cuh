// What a sweep of red-black SOR reads; eq. (F6) of docs/src/theory/fdm.md.
#pragma once
#include "fdm/layout.cuh"
#include "fdm/stencil.cuh"

// Numbers of a sweep; mirrored in crates/fdm/src/gpu/numbers.rs.
struct Sweep {
    Real weights[3];   // 1 / h2 in 1/m2
    Real omega, keep;  // over-relaxation and 1 - omega
};
static_assert(sizeof(Sweep) == 5 * sizeof(Real), "mirrored in Rust");

// Cells of a colour beside each other in x that one thread updates and loads together. Mirrored in
// crates/fdm/src/gpu/numbers.rs.
constexpr int FEW_BYTES = 16;
constexpr int FEW = FEW_BYTES / sizeof(Real);
struct __align__(FEW_BYTES) Few {
    Real at[FEW];
};
struct __align__(FEW) FewKinds {
    unsigned char at[FEW];
};
INLINE Few few_at(const Real* at) { return *reinterpret_cast<const Few*>(at); }
INLINE FewKinds few_at(const unsigned char* at) { return *reinterpret_cast<const FewKinds*>(at); }

// Neighbours' weighted sum less the right-hand side of the cell at `at` of a colour that starts at
// `start`; `other` are the pressures of the other colour.
INLINE Real defect_at(const Layout& layout, const Sweep& sweep, const Real* other, int64 at,
                      int start, Real b) {
    const Real* const beside = other + at;
    const int y = half_stride_of(layout, 1), z = half_stride_of(layout, 2);
    const Real west = beside[start - 1], east = beside[start], south = beside[-y], north = beside[y];
    if (DIRECTIONS == 2) {
        return defect_plane(west, east, south, north, b, sweep.weights[0], sweep.weights[1]);
    }
    return defect(west, east, south, north, beside[-z], beside[z], b, sweep.weights[0],
                  sweep.weights[1], sweep.weights[2]);
}

// The pressures around a few cells. In x a cell has one neighbour of its own number, and one of the
// last or the next number.
struct Around {
    Few beside, south, north, bottom, top;
    Real beyond;  // number -1 or FEW of `beside`
};

// Loads what is around a few cells of a colour that starts at `start`; `other` points at the same
// place in the other colour.
INLINE Around around_few(const Layout& layout, const Real* other, int start) {
    const int y = half_stride_of(layout, 1), z = half_stride_of(layout, 2);
    Around around;
    around.beside = few_at(other);
    around.south = few_at(other - y), around.north = few_at(other + y);
    if (DIRECTIONS == 3) around.bottom = few_at(other - z), around.top = few_at(other + z);
    around.beyond = other[start == 0 ? -1 : FEW];
    return around;
}

// Neighbours' weighted sum less the right-hand side of cell n of the few. The two neighbours in x are
// added, so that it does not matter which of them is in the west.
INLINE Real defect_of(const Sweep& sweep, const Around& around, int n, int start, Real b) {
    const Real last = n == 0 ? around.beyond : around.beside.at[n - 1];
    const Real next = n == FEW - 1 ? around.beyond : around.beside.at[n + 1];
    const Real west = start == 0 ? last : next, east = around.beside.at[n];
    const Real south = around.south.at[n], north = around.north.at[n];
    if (DIRECTIONS == 2) {
        return defect_plane(west, east, south, north, b, sweep.weights[0], sweep.weights[1]);
    }
    return defect(west, east, south, north, around.bottom.at[n], around.top.at[n], b,
                  sweep.weights[0], sweep.weights[1], sweep.weights[2]);
}

// The update of a few cells.
struct Patch {
    int64 at;  // place of the first
    Few before, after;
};

// Whether there are a few cells number `at.i` in the row.
INLINE bool is_few(const Layout& layout, const Indices& at) {
    return at.i * FEW < layout.half_row && is_own_row(layout, at.j, at.k);
}

// The update of the few cells `indices`. Everything is loaded before anything is computed, so that the loads are under
// way together. Cells that are not own ones keep their values.
INLINE Patch relaxed_patch(const Layout& layout, const Sweep& sweep, int colour,
                           const Indices& indices, const Real* mine, const Real* other,
                           const Real* right_hand_side, const unsigned char* kinds,
                           const Real* inverse_diagonals) {
    const int m = indices.i * FEW, start = start_of(layout, colour, indices.j, indices.k);
    Patch patch;
    patch.at = line_of(layout, indices.j, indices.k) * layout.half_row + m;
    const Around around = around_few(layout, other + patch.at, start);
    const Few b = few_at(right_hand_side + patch.at);
    const FewKinds kind = few_at(kinds + patch.at);
    patch.before = few_at(mine + patch.at);
#pragma unroll
    for (int n = 0; n < FEW; ++n) {
        const Real before = patch.before.at[n], d = inverse_diagonals[kind.at[n]];
        const Real defect = defect_of(sweep, around, n, start, b.at[n]);
        patch.after.at[n] = is_own(layout, m + n, start)
                                ? relaxed(before, d, defect, sweep.omega, sweep.keep)
                                : before;
    }
    return patch;
}

INLINE void put(const Patch& patch, Real* mine) {
    *reinterpret_cast<Few*>(mine + patch.at) = patch.after;
}
