// A time step on a tile: from memory and back, and eqs. (F1) to (F5) and (F8) of
// docs/src/theory/fdm.md. Places are those of tile.cuh: natural order for velocities and
// predictions, split order for pressures, right-hand sides and kinds.
#pragma once
#include "fdm/resident/numbers.cuh"

// Columns that a thread loads before it stores the first, so that loads are under way together.
constexpr int AT_ONCE = 4;

// Values of N fields in the grid and its first halo, from memory to the tile; own cells are left
// out if the tile has them. From field SPLIT on they are pressures, in split order.
template <int N, int SPLIT>
INLINE void load(const Tiling& t, const Place& here, const Real* const (&from)[N],
                 Real* const (&to)[N], bool all) {
    const int low[2] = {max(here.first[0], -1), max(here.first[1], -1)};
    const int high[2] = {min(here.first[0] + t.extent[0], t.cells[0] + 1),
                         min(here.first[1] + t.extent[1], t.cells[1] + 1)};
    for (int j = low[1] + warp(); j < high[1]; j += warps()) {
        const bool row_is_own = !all && j >= here.own[1] && j < here.end[1];
        const int64 row = static_cast<int64>(j + 1) * t.pitch + 1;
        for (int first = low[0] + lane(); first < high[0]; first += 32 * AT_ONCE) {
            Real value[N][AT_ONCE];
            bool wanted[AT_ONCE];
#pragma unroll
            for (int c = 0; c < AT_ONCE; ++c) {
                const int i = first + 32 * c;
                wanted[c] = i < high[0] && !(row_is_own && i >= here.own[0] && i < here.end[0]);
#pragma unroll
                for (int n = 0; n < N; ++n) {
                    if (wanted[c]) value[n][c] = fresh(from[n] + row + i);
                }
            }
            const int at = natural(t, here, first, j), half_at = split(t, here, first, j);
#pragma unroll
            for (int c = 0; c < AT_ONCE; ++c) {
#pragma unroll
                for (int n = 0; n < N; ++n) {
                    if (wanted[c]) to[n][n >= SPLIT ? half_at + 16 * c : at + 32 * c] = value[n][c];
                }
            }
        }
    }
}

// The own pressures, from the tile to memory.
INLINE void store(const Tiling& t, const Place& here, const Real* p, Real* to) {
    for (int j = here.own[1] + warp(); j < here.end[1]; j += warps()) {
        Real* row = to + static_cast<int64>(j + 1) * t.pitch + 1;
        int from = split(t, here, here.own[0] + lane(), j);
        for (int i = here.own[0] + lane(); i < here.end[0]; i += 32, from += 16) row[i] = p[from];
    }
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
// rows: what leaves a cell to the north enters the next one from the south.
template <bool CENTRAL>
INLINE void predict_tile(const ResidentRun& run, const Place& here, const unsigned char* kind,
                         const Real* u, const Real* v, const Board* board, Real* f, Real* g) {
    const Tiling& t = run.tiling;
    const int margin = 2 * t.batch, up = row_length_of(t.extent[0]);
    const Range x = range(t, here, 0, margin, margin + 1),
                y = range(t, here, 1, margin, margin + 1);
    const Transport a = board->transport[0], c = board->transport[1];
    const Real dt = board->dt, half = a.half, force[2] = {Real(run.force[0]), Real(run.force[1])};
    const int band = (y.high - y.low + warps() - 1) / warps(), low = y.low + warp() * band;
    const int high = min(low + band, y.high);
    for (int i = x.low + lane(); i < x.high && low < high; i += 32) {
        int at = natural(t, here, i, low);
        // South-west, south and south-east of the row to come.
        Real u_south = u[at - up], u_south_east = u[at - up + 1], v_west = v[at - 1];
        Real u_here = u[at], v_here = v[at];
        Real north_u = flux_of<CENTRAL>(half * (v_west + v_here), u_south, u_here, c);
        Real v_south = v[at - up];
        Real north_v = flux_of<CENTRAL>(half * (v_south + v_here), v_south, v_here, c);
        for (int j = low; j < high; ++j, at += up) {
            const unsigned char flags = kind[split(t, here, i, j)];
            const Real u_west = u[at - 1], u_east = u[at + 1], u_north = u[at + up];
            const Real v_east = v[at + 1], v_north = v[at + up], v_north_west = v[at + up - 1];
            const Real south_u = north_u, south_v = north_v;
            north_u = flux_of<CENTRAL>(half * (v_north_west + v_north), u_here, u_north, c);
            north_v = flux_of<CENTRAL>(half * (v_here + v_north), v_here, v_north, c);
            Real rate_u = force[0], rate_v = force[1];
            rate_u += carried(u_west, u_here, u_east,
                              flux_of<CENTRAL>(half * (u_west + u_here), u_west, u_here, a),
                              flux_of<CENTRAL>(half * (u_here + u_east), u_here, u_east, a), a);
            rate_u += carried(u_south, u_here, u_north, south_u, north_u, c);
            rate_v +=
                carried(v_west, v_here, v_east,
                        flux_of<CENTRAL>(half * (u_south + u_here), v_west, v_here, a),
                        flux_of<CENTRAL>(half * (u_south_east + u_east), v_here, v_east, a), a);
            rate_v += carried(v_south, v_here, v_north, south_v, north_v, c);
            f[at] = open_of(flags, 0) * (u_here + dt * rate_u);
            g[at] = open_of(flags, 1) * (v_here + dt * rate_v);
            u_south = u_here, u_south_east = u_east, v_south = v_here;
            u_here = u_north, v_here = v_north, v_west = v_north_west;
        }
    }
}

// The right-hand side, eq. (F5), where pressures will be relaxed.
INLINE void divergence_tile(const ResidentRun& run, const Place& here, const Real* f, const Real* g,
                            const Board* board, Real* b) {
    const Tiling& t = run.tiling;
    const int margin = 2 * t.batch, up = row_length_of(t.extent[0]);
    const Range x = range(t, here, 0, margin, margin), y = range(t, here, 1, margin, margin);
    const Real inverse[2] = {board->inverse[0], board->inverse[1]};
    for (int j = y.low + warp(); j < y.high; j += warps()) {
        int at = natural(t, here, x.low + lane(), j), to = split(t, here, x.low + lane(), j);
        for (int i = x.low + lane(); i < x.high; i += 32, at += 32, to += 16) {
            Real sum = Real(0);
            sum += inverse[0] * (f[at + 1] - f[at]);
            sum += inverse[1] * (g[at + up] - g[at]);
            b[to] = sum;
        }
    }
}

// The own velocities corrected by the pressure gradient, eq. (F8), and pressures into memory, and
// if the tile has room for them into it; the velocities' largest magnitudes and changes.
INLINE void project_tile(const ResidentRun& run, const Place& here, const unsigned char* kind,
                         const Real* f, const Real* g, const Real* p, const Board* board, Real* u,
                         Real* v, const Real* u_old, const Real* v_old, Real* u_new, Real* v_new,
                         Real* p_new, bool roomy, Bits most[3]) {
    const Tiling& t = run.tiling;
    const Real dt_h[2] = {board->dt_h[0], board->dt_h[1]};
    for (int j = here.own[1] + warp(); j < here.end[1]; j += warps()) {
        const int64 row = static_cast<int64>(j + 1) * t.pitch + 1 + here.own[0] + lane();
        for (int c0 = 0; here.own[0] + lane() + 32 * c0 < here.end[0]; c0 += AT_ONCE) {
            const int first = here.own[0] + lane() + 32 * c0;
            int at = natural(t, here, first, j), centre = split(t, here, first, j);
            const int low = split(t, here, first - 1, j) - centre,
                      south_of = split(t, here, first, j - 1) - centre;
            int64 memory = row + 32 * c0;
            Real was[2][AT_ONCE];
#pragma unroll
            for (int c = 0; c < AT_ONCE; ++c) {
                if (first + 32 * c >= here.end[0]) continue;
                was[0][c] = roomy ? u[at + 32 * c] : fresh(u_old + memory + 32 * c);
                was[1][c] = roomy ? v[at + 32 * c] : fresh(v_old + memory + 32 * c);
            }
#pragma unroll
            for (int c = 0; c < AT_ONCE; ++c, at += 32, centre += 16, memory += 32) {
                if (first + 32 * c >= here.end[0]) continue;
                const unsigned char flags = kind[centre];
                const Real open[2] = {open_of(flags, 0), open_of(flags, 1)};
                const Real high = p[centre];
                const Real new_u = projected(f[at], p[centre + low], high, dt_h[0], open[0]);
                const Real new_v = projected(g[at], p[centre + south_of], high, dt_h[1], open[1]);
                most[0] = larger(most[0], bits_of(new_u));
                most[1] = larger(most[1], bits_of(new_v));
                most[2] = larger(most[2], larger(bits_of(open[0] * (new_u - was[0][c])),
                                                 bits_of(open[1] * (new_v - was[1][c]))));
                u_new[memory] = new_u;
                v_new[memory] = new_v;
                p_new[memory] = high;
                if (roomy) u[at] = new_u, v[at] = new_v;
            }
        }
    }
}
