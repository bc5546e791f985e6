// Where populations lie: one lattice of slots, updated in place; Esoteric-Pull of Lehmann (2022),
// eq. (L17) of docs/src/theory/lbm.md. Twin of crates/lbm/src/layout.rs.
//
// The two populations that cross a link between cell n and cell m = n + c (c numbered 2 p + 1) share
// the two slots 2 p + 1 and 2 p + 2 of cell m. In a step of parity 0 the lower cell n takes and leaves
// in slot 2 p + 1, the upper cell m in slot 2 p + 2; in a step of parity 1 the other way round. Where
// the box ends n keeps slot 2 p + 1 to itself and m slot 2 p + 2. So in every step each place belongs
// to one cell, and threads may do the cells in any order.
//
// Where ranks share x, the places of links across x that the first cells of rows have, and those behind the last cells, lie in
// two columns behind the rows of each slot.
#pragma once
#include "lbm/lattice.cuh"
#include "lbm/population.cuh"

// Places of the populations of a subdomain; mirrored in crates/lbm/src/gpu/numbers.rs.
struct Layout {
    int64 slot;       // from one slot to the next
    int64 first;      // own cell (0, 0, 0) within a slot
    int64 stride[3];  // from one cell to the next in x, y and z
    int64 columns[2];     // own cell (0, 0) within the columns of a slot
    int64 column_stride;  // from one plane to the next in a column; 0 if there are none
    int cells[3];     // own cells in x, y and z
    int halo[3];      // whether there are halo cells in rows, planes and layers; else a cell beyond the last is the first
    int ends[3];      // whether the box ends here: bit 0 on the low side, bit 1 on the high side
    uint32 per_row;   // 2^32 less one over the places of a row, rounded down
};
static_assert(sizeof(Layout) == 8 * sizeof(int64) + 10 * sizeof(int), "mirrored in Rust");

// Whether slots have columns: a constant, if the compiler is told.
#ifdef COLUMNS
INLINE bool has_columns(const Layout&) { return COLUMNS; }
#else
INLINE bool has_columns(const Layout& layout) { return layout.column_stride != 0; }
#endif

// Places that a warp reads together begin at multiples of this; mirrored in
// crates/lbm/src/gpu/numbers.rs.
constexpr int ALIGNMENT = 32;

// Indices of a cell.
struct Indices {
    int i, j, k;
};

// The cell in plane k of the place of this number from the beginning of a row on; that of a negative number lies behind all
// rows. The quotient is rounded down once too often at most.
INLINE Indices cell_of_number(const Layout& layout, uint32 number, int first_row, int k) {
    const uint32 of_row = static_cast<uint32>(layout.stride[1]);
    uint32 row = static_cast<uint32>(static_cast<uint64>(number) * layout.per_row >> 32);
    uint32 in_row = number - row * of_row;
    if (in_row >= of_row) {
        ++row;
        in_row -= of_row;
    }
    return {static_cast<int>(in_row) - layout.halo[0], static_cast<int>(row + static_cast<uint32>(first_row)), k};
}

// This thread's cell in plane k, not an own one for threads that are left. Threads follow the places of
// the plane, wherever rows end: so warps read what lies in memory together, whatever a row's length.
INLINE Indices cell_of_thread(const Layout& layout, int k) {
    const int64 plane = layout.stride[2] * (k + layout.halo[2]);
    const uint32 aligned = static_cast<uint32>(plane) % ALIGNMENT;
    const uint32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    return cell_of_number(layout, thread - aligned, -layout.halo[1], k);
}

// Own cells that a launch does: whole rows.
struct Region {
    int first[2];  // in y and z
    int end[2];    // behind the last
};
static_assert(sizeof(Region) == 4 * sizeof(int), "mirrored in Rust");

// What a thread does of a region.
struct Own {
    Indices at;
    int64 place;  // within a slot
    bool is_one;  // else there is no cell left
};

// As above, for the rows of a region whose plane is the block's y.
INLINE Own cell_of_region(const Layout& layout, const Region& region) {
    const int k = region.first[1] + static_cast<int>(blockIdx.y);
    const int64 plane = layout.stride[2] * (k + layout.halo[2]);
    const int64 first = plane + layout.stride[1] * (region.first[0] + layout.halo[1]);
    const uint32 aligned = static_cast<uint32>(first) % ALIGNMENT;
    const uint32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < aligned) return {{-1, -1, k}, 0, false};
    const Indices at = cell_of_number(layout, thread - aligned, region.first[0], k);
    const bool is_one = static_cast<uint32>(at.i) < static_cast<uint32>(layout.cells[0]) &&
                        static_cast<uint32>(at.j - region.first[0]) <
                            static_cast<uint32>(region.end[0] - region.first[0]);
    return {at, first - aligned + thread, is_one};
}
// The place of a row's first (0) or last (1) cell in the column of a slot.
INLINE int64 place_in_column(const Layout& layout, int number, const Indices& at) {
    return layout.columns[number] + at.j + layout.column_stride * at.k;
}

INLINE bool is_own(const Layout& layout, const Indices& at) {
    return at.i >= 0 && at.i < layout.cells[0] && at.j >= 0 && at.j < layout.cells[1];
}

// An own cell in a step of a parity.
struct Cell {
    int64 place;    // within a slot
    int64 up[3];    // to the next cell in x, y and z
    int64 down[3];  // to the one before
    bool low[3];    // whether the box ends before it
    bool high[3];   // whether it ends behind it
    // Places in slots 1 and 2 that it shares with neighbours, and those that it has to itself where the
    // box ends: see `own` and `next`.
    int64 shared_own, single_own;
    int64 shared_next, single_next;
    // Of links across x, where they lie in columns: from `place` to its place there, and from there to the next cells
    // in y and z and those before.
    bool own_in_column, next_in_column;
    int64 to_own_column, to_next_column;
    int64 column_up[2], column_down[2];
};
INLINE Cell cell_at(const Layout& layout, int parity, const Indices& at) {
    const int index[3] = {at.i, at.j, at.k};
    Cell cell;
    cell.place = layout.first;
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        const int64 stride = layout.stride[d];
        const bool is_first = index[d] == 0, is_last = index[d] == layout.cells[d] - 1;
        const int64 around = layout.halo[d] ? 0 : stride * layout.cells[d];
        cell.place += stride * index[d];
        cell.up[d] = is_last ? stride - around : stride;
        cell.down[d] = is_first ? around - stride : -stride;
        cell.low[d] = is_first && (layout.ends[d] & 1);
        cell.high[d] = is_last && (layout.ends[d] & 2);
    }
    cell.own_in_column = has_columns(layout) && at.i == 0;
    cell.next_in_column = has_columns(layout) && at.i == layout.cells[0] - 1;
    cell.to_own_column = cell.to_next_column = 0;
    if (has_columns(layout)) {
        cell.to_own_column = place_in_column(layout, 0, at) - cell.place;
        cell.to_next_column = place_in_column(layout, 1, at) - cell.place;
#pragma unroll
        for (int d = 1; d < 3; ++d) {
            const int64 stride = d == 1 ? 1 : layout.column_stride;
            const int64 around = layout.halo[d] ? 0 : stride * layout.cells[d];
            cell.column_up[d - 1] = index[d] == layout.cells[d] - 1 ? stride - around : stride;
            cell.column_down[d - 1] = index[d] == 0 ? around - stride : -stride;
        }
    }
    cell.shared_own = cell.place + (2 - parity) * layout.slot;
    cell.single_own = cell.place + 2 * layout.slot;
    cell.shared_next = cell.place + (1 + parity) * layout.slot;
    cell.single_next = cell.place + layout.slot;
    return cell;
}

// The place that an own cell shares with the cell before it along pair p: there it finds population
// 2 p + 1 and leaves 2 p + 2.
INLINE int64 own(const Layout& layout, const Cell& cell, int p) {
    bool ends = false;
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        if (c(p, d) != 0) ends = ends | (c(p, d) > 0 ? cell.low[d] : cell.high[d]);
    }
    const int64 column = c(p, 0) != 0 && cell.own_in_column ? cell.to_own_column : 0;
    return (ends ? cell.single_own : cell.shared_own) + column + 2 * p * layout.slot;
}

// The place that it shares with the next cell along pair p: there it finds population 2 p + 2 and
// leaves 2 p + 1.
INLINE int64 next(const Layout& layout, const Cell& cell, int p) {
    bool ends = false;
    int64 step = 0;
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        if (c(p, d) != 0) ends = ends | (c(p, d) > 0 ? cell.high[d] : cell.low[d]);
        if (c(p, d) != 0) step += c(p, d) > 0 ? cell.up[d] : cell.down[d];
    }
    if (c(p, 0) != 0 && cell.next_in_column) {
        step = cell.to_next_column;
#pragma unroll
        for (int d = 1; d < 3; ++d) {
            if (c(p, d) != 0) step += c(p, d) > 0 ? cell.column_up[d - 1] : cell.column_down[d - 1];
        }
    }
    return (ends ? cell.single_next : cell.shared_next) + step + 2 * p * layout.slot;
}

// Where an own cell finds population q.
INLINE int64 arriving(const Layout& layout, const Cell& cell, int q) {
    if (q == 0) return cell.place;
    return q % 2 == 1 ? own(layout, cell, q / 2) : next(layout, cell, q / 2 - 1);
}

// Where it leaves it.
INLINE int64 leaving(const Layout& layout, const Cell& cell, int q) {
    return arriving(layout, cell, opposite(q));
}

// The populations that arrive in an own cell.
INLINE void take(const Layout& layout, const Cell& cell, const Stored* f, Real (&h)[Q]) {
#pragma unroll
    for (int q = 0; q < Q; ++q) h[q] = number_of(f[arriving(layout, cell, q)]);
}

// Leaves the populations of an own cell.
INLINE void leave(const Layout& layout, const Cell& cell, const Real (&h)[Q], Stored* f) {
#pragma unroll
    for (int q = 0; q < Q; ++q) f[leaving(layout, cell, q)] = population_of(h[q]);
}

// How far from a cell its populations lie, in bytes, in a step of one parity, where no end of its plane is near; mirrored in
// crates/lbm/src/gpu/reach.rs. No pair is numbered by a velocity that goes down in x: `own` meets the low end of a row,
// `next` the high end.
struct Reach {
    int64 own;            // to what it shares with the cell before it along pair 0
    int64 pair;           // from there to the same along the next pair
    int64 next[13];       // to what it shares with the next cell along each pair
    int64 more_at_first;  // to `own` of the pairs that cross x, in the first cell of a row
    int64 more_at_last;   // to `next` of them, in the last
    int64 more_in_column[13];  // to `next` from the place that the last cell has in its column, for there neighbours lie elsewhere
};
static_assert(sizeof(Reach) == 30 * sizeof(int64), "mirrored in Rust");

// Whether `Reach` tells where populations are.
INLINE bool is_within_reach(const Layout& layout, const Indices& at) {
    const bool in_plane = at.j > 0 & at.j < layout.cells[1] - 1;
    const bool is_own_neighbour = layout.cells[2] == 1 & layout.halo[2] == 0 & layout.ends[2] == 0;
    return in_plane & (D == 2 | is_own_neighbour | (at.k > 0 & at.k < layout.cells[2] - 1));
}

// Where populations of such a cell lie.
struct Reached {
    Stored* here;
    Stored* own_across_x;
    Stored* next_across_x;
    bool next_in_column;
};
template <class T> INLINE T* moved(T* from, int64 bytes) {
    return reinterpret_cast<T*>(reinterpret_cast<char*>(from) + bytes);
}
INLINE Reached reached(const Layout& layout, const Reach& reach, const Own& own, Stored* f) {
    Stored* const here = f + own.place;
    const bool is_first = own.at.i == 0, is_last = own.at.i == layout.cells[0] - 1;
    const bool in_columns = has_columns(layout);
    Stored* const own_base = in_columns && is_first ? f + place_in_column(layout, 0, own.at) : here;
    Stored* const next_base = in_columns && is_last ? f + place_in_column(layout, 1, own.at) : here;
    return {here, moved(own_base, is_first ? reach.more_at_first : 0),
            moved(next_base, is_last ? reach.more_at_last : 0), in_columns && is_last};
}
INLINE Stored& own_of(const Reached& from, const Reach& reach, int p) {
    return *moved(c(p, 0) ? from.own_across_x : from.here, reach.own + p * reach.pair);
}
INLINE Stored& next_of(const Reached& from, const Reach& reach, int p) {
    if (!c(p, 0)) return *moved(from.here, reach.next[p]);
    return *moved(from.next_across_x, reach.next[p] + (from.next_in_column ? reach.more_in_column[p] : 0));
}

// The populations that arrive in a cell of a region, in units of UNIT.
INLINE void take(const Layout& layout, const Reach& reach, int parity, const Own& own, Stored* f,
                 Real (&h)[Q]) {
    if (is_within_reach(layout, own.at)) {
        const Reached from = reached(layout, reach, own, f);
        h[0] = widened(*from.here);
#pragma unroll
        for (int p = 0; p < PAIRS; ++p) {
            h[2 * p + 1] = widened(own_of(from, reach, p));
            h[2 * p + 2] = widened(next_of(from, reach, p));
        }
    } else {
        const Cell cell = cell_at(layout, parity, own.at);
#pragma unroll
        for (int q = 0; q < Q; ++q) h[q] = widened(f[arriving(layout, cell, q)]);
    }
}

// Leaves its populations, which are given in units of UNIT.
INLINE void leave(const Layout& layout, const Reach& reach, int parity, const Own& own,
                  const Real (&h)[Q], Stored* f) {
    if (is_within_reach(layout, own.at)) {
        const Reached from = reached(layout, reach, own, f);
        *from.here = narrowed_to<Stored>(h[0]);
#pragma unroll
        for (int p = 0; p < PAIRS; ++p) {
            own_of(from, reach, p) = narrowed_to<Stored>(h[2 * p + 2]);
            next_of(from, reach, p) = narrowed_to<Stored>(h[2 * p + 1]);
        }
    } else {
        const Cell cell = cell_at(layout, parity, own.at);
#pragma unroll
        for (int q = 0; q < Q; ++q) f[leaving(layout, cell, q)] = narrowed_to<Stored>(h[q]);
    }
}
