// A time step on a tile: from memory and back, and eqs. (F1) to (F5) and (F8) of
// docs/src/theory/fdm.md. Places are those of tile.cuh: natural order for velocities and
// predictions, split order for pressures, right-hand sides and kinds.
#pragma once
#include "fdm/resident/cells.cuh"
#include "fdm/resident/numbers.cuh"

// Rows, or cells, of which a thread asks for so many numbers each before it waits for the first.
template <int N> constexpr int AT_ONCE = sizeof(Real) == 4 && N < 3 ? 4 : 2;

// Values of N fields in the grid and its first halo, from memory to the tile; own cells are left
// out if the tile has them. From field SPLIT on they are pressures, in split order.
template <int N, int SPLIT, bool ALL>
INLINE void load(const Tiling& t, const Board* board, const Real* const (&from)[N], Real* const (&to)[N]) {
    const Place here = board->here;
    const Range x = {max(here.first[0], -1), min(here.first[0] + t.extent[0], t.cells[0] + 1)};
    const Range y = {max(here.first[1], -1), min(here.first[1] + t.extent[1], t.cells[1] + 1)};
    const auto take = [&](const Spot& at) {
        Numbers<N> taken;
#pragma unroll
        for (int n = 0; n < N; ++n) taken.of[n] = fresh(from[n] + padded(t, at));
        return taken;
    };
    const auto give = [&](const Spot& at, const Numbers<N>& taken) {
        const int place = natural(t, here, at), half_place = split(t, here, at);
#pragma unroll
        for (int n = 0; n < N; ++n) to[n][n >= SPLIT ? half_place : place] = taken.of[n];
    };
    if (ALL) {
        by_rows<AT_ONCE<N>, 4, Numbers<N>>(x, y, take, give);
    } else {
        around<2 * AT_ONCE<N>, Numbers<N>>(x, y, own_range(here, 0), own_range(here, 1), take, give);
    }
}

// The own pressures, from the tile to memory.
INLINE void store(const Tiling& t, const Board* board, const Real* p, Real* to) {
    const Place here = board->here;
    by_rows<AT_ONCE<1>, 3, Numbers<1>>(own_range(here, 0), own_range(here, 1),
        [&](const Spot& at) { return Numbers<1>{{p[split(t, here, at)]}}; },
        [&](const Spot& at, const Numbers<1>& taken) { to[padded(t, at)] = taken.of[0]; });
}

// One where a face of a component lies in the flow, else zero.
INLINE Real open_of(unsigned char kind, int component) {
    return kind & (64 << component) ? Real(1) : Real(0);
}

template <bool CENTRAL>
INLINE Real flux_of(Real v, Real low, Real high, const Transport& k) {
    return CENTRAL ? flux_central(v, low, high, k.half) : flux(v, low, high, k.gamma, k.half);
}

// F and G, eqs. (F1) to (F4), where the right-hand side will need them. Each warp goes up a band of
// rows: what leaves a cell to the north enters the next one from the south, and what leaves it to the east is what
// enters that of the next lane from the west. The last lane has that of its western side only.
template <bool CENTRAL>
INLINE void predict_tile(const ResidentRun& run, const unsigned char* kind,
                         const Real* u, const Real* v, const Board* board, Real* f, Real* g) {
    const Worker me = worker();
    const Place here = board->here;
    const Tiling& t = run.tiling;
    const int margin = 2 * t.batch, up = row_length_of(t.extent[0]);
    const Range x = range(t, here, 0, margin, margin + 1),
                y = range(t, here, 1, margin, margin + 1);
    const Transport a = board->transport[0], c = board->transport[1];
    const Real dt = board->dt, half = a.half, force[2] = {Real(run.force[0]), Real(run.force[1])};
    const int columns = LANES_MEET ? 31 : 32, across = (x.high - x.low + columns - 1) / columns;
    const int bands = max(warps() / across, 1), band = (y.high - y.low + bands - 1) / bands;
    for (int part = me.warp; part < across * bands; part += warps()) {
        const int low = y.low + part / across * band, high = min(low + band, y.high);
        if (low >= high) continue;
        const int i = min(x.low + part % across * columns + me.lane, x.high);
        const bool is_mine = i < x.high && me.lane < columns;
        const int at = natural(t, here, i, low), half_up = up / 2;
        const Real *u_at = u + at, *v_at = v + at;
        Real *f_at = f + at, *g_at = g + at;
        const unsigned char* kind_at = kind + split(t, here, i, low);
        int is_black = (i + low + t.parity) & 1;
        Real u_south = u_at[-up], v_west = v_at[-1];
        Real u_here = u_at[0], v_here = v_at[0];
        Real north_u = flux_of<CENTRAL>(half * (v_west + v_here), u_south, u_here, c);
        Real v_south = v_at[-up];
        Real north_v = flux_of<CENTRAL>(half * (v_south + v_here), v_south, v_here, c);
#pragma unroll 2
        for (int j = low; j < high; ++j) {
            const unsigned char flags = *kind_at;
            const Real u_west = u_at[-1], u_east = u_at[1], u_north = u_at[up], u_south_east = u_at[1 - up];
            const Real v_east = v_at[1], v_north = v_at[up], v_north_west = v_at[up - 1];
            const Real south_u = north_u, south_v = north_v;
            north_u = flux_of<CENTRAL>(half * (v_north_west + v_north), u_here, u_north, c);
            north_v = flux_of<CENTRAL>(half * (v_here + v_north), v_here, v_north, c);
            const Real west_u = flux_of<CENTRAL>(half * (u_west + u_here), u_west, u_here, a);
            const Real west_v = flux_of<CENTRAL>(half * (u_south + u_here), v_west, v_here, a);
            const Real east_u = LANES_MEET ? from_next_thread(west_u)
                                           : flux_of<CENTRAL>(half * (u_here + u_east), u_here, u_east, a);
            const Real east_v = LANES_MEET ? from_next_thread(west_v)
                                           : flux_of<CENTRAL>(half * (u_south_east + u_east), v_here, v_east, a);
            Real rate_u = force[0], rate_v = force[1];
            rate_u += carried(u_west, u_here, u_east, west_u, east_u, a);
            rate_u += carried(u_south, u_here, u_north, south_u, north_u, c);
            rate_v += carried(v_west, v_here, v_east, west_v, east_v, a);
            rate_v += carried(v_south, v_here, v_north, south_v, north_v, c);
            const Real new_f = open_of(flags, 0) * (u_here + dt * rate_u);
            const Real new_g = open_of(flags, 1) * (v_here + dt * rate_v);
            if (is_mine) *f_at = new_f, *g_at = new_g;
            u_south = u_here, v_south = v_here;
            u_here = u_north, v_here = v_north, v_west = v_north_west;
            u_at += up, v_at += up, f_at += up, g_at += up;
            kind_at += up + (is_black ? -half_up : half_up), is_black ^= 1;
        }
    }
}

// The right-hand side, eq. (F5), where pressures will be relaxed.
INLINE void divergence_tile(const ResidentRun& run, const Real* f, const Real* g,
                            const Board* board, Real* b) {
    const Place here = board->here;
    const Tiling& t = run.tiling;
    const int margin = 2 * t.batch, up = row_length_of(t.extent[0]);
    const Real inverse[2] = {board->inverse[0], board->inverse[1]};
    by_rows<1, 4, Numbers<4>>(range(t, here, 0, margin, margin), range(t, here, 1, margin, margin),
        [&](const Spot& at) {
            const int place = natural(t, here, at);
            return Numbers<4>{{f[place], f[place + 1], g[place], g[place + up]}};
        },
        [&](const Spot& at, const Numbers<4>& taken) {
            const Real(&of)[4] = taken.of;
            Real sum = Real(0);
            sum += inverse[0] * (of[1] - of[0]);
            sum += inverse[1] * (of[3] - of[2]);
            b[split(t, here, at)] = sum;
        });
}

// The own velocities corrected by the pressure gradient, eq. (F8), and pressures into memory, and
// if the tile has room for them into it; the velocities' largest magnitudes and changes.
INLINE void project_tile(const ResidentRun& run, const unsigned char* kind,
                         const Real* f, const Real* g, const Real* p, const Board* board, Real* u,
                         Real* v, const Real* u_old, const Real* v_old, Real* u_new, Real* v_new,
                         Real* p_new, bool roomy, Bits most[3]) {
    const Place here = board->here;
    const Tiling& t = run.tiling;
    const Real dt_h[2] = {board->dt_h[0], board->dt_h[1]};
    by_rows<sizeof(Real) == 4 ? 3 : 2, 3, Numbers<4>>(own_range(here, 0), own_range(here, 1),
        [&](const Spot& at) {
            const int place = natural(t, here, at);
            const int64 memory = padded(t, at);
            return Numbers<4>{{roomy ? u[place] : fresh(u_old + memory), roomy ? v[place] : fresh(v_old + memory),
                               f[place], g[place]}};
        },
        [&](const Spot& at, const Numbers<4>& taken) {
            const int place = natural(t, here, at), centre = split(t, here, at);
            const Real open[2] = {open_of(kind[centre], 0), open_of(kind[centre], 1)};
            const Real high = p[centre], west = p[split(t, here, {at.i - 1, at.j, at.columns})];
            const Real south = p[split(t, here, {at.i, at.j - 1, at.columns})];
            const Real new_u = projected(taken.of[2], west, high, dt_h[0], open[0]);
            const Real new_v = projected(taken.of[3], south, high, dt_h[1], open[1]);
            most[0] = larger(most[0], bits_of(new_u));
            most[1] = larger(most[1], bits_of(new_v));
            most[2] = larger(most[2], larger(bits_of(open[0] * (new_u - taken.of[0])),
                                             bits_of(open[1] * (new_v - taken.of[1]))));
            const int64 memory = padded(t, at);
            u_new[memory] = new_u;
            v_new[memory] = new_v;
            p_new[memory] = high;
            if (roomy) u[place] = new_u, v[place] = new_v;
        });
}
