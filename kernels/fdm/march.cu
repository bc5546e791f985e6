// Whole time steps of a plane flow in one launch: eqs. (F1) to (F14) of docs/src/theory/fdm.md in the
// order of crates/fdm/src/step.rs. Each block keeps a tile with margins in shared memory, does
// `tiling.batch` pressure iterations on it at a time, and has word from its eight neighbours once a
// step and once a batch, through flags in the second-level cache. All blocks run at the same time
// (cooperative launch).
//
// Fields u, v in m/s on low faces, p in m2/s2 at centres: padded rows of `pitch`, one halo cell, two
// copies; step n reads copy n % 2 with margins and writes the tile's own cells of the other. Halo
// values of walls, inflows and symmetry are not kept in memory but made from the lists of each tile.
// `q` carries pressures within a step. `motion` holds bits of the largest |u|, |v| and change of each
// step, `instants` its time and length in s, `iterations` its iterations, 0 where none was done.
#include "fdm/boundary_tile.cuh"
#include "fdm/clock.cuh"
#include "fdm/tile.cuh"

// When pressure iterations stop; mirrored in crates/fdm/src/gpu/march.rs.
struct Stopping {
    double tolerance;     // eq. (F13), times U2 for the change
    double omega;         // fixed, or the optimum of eq. (F7)
    int64 first_steps;    // steps with `first` iterations
    int rule;             // 0 iterations, 1 change, 2 residual
    int optimal;          // whether omega adapts
    int first, then;      // iterations of rule 0
    int test_every, most;
};
static_assert(sizeof(Stopping) == 48, "mirrored in Rust");

// What a launch does; mirrored in crates/fdm/src/gpu/march.rs.
struct March {
    Pace pace;
    Stopping stopping;
    double time;      // s
    double speed[2];  // m/s
    double force[2];  // m/s2
    int64 step;       // number of the last step done
    Tiling tiling;
    int steps;        // most steps to do
    int roomy;        // whether p and b have shared memory of their own
    int levels;       // of ghosts
    int adaptive;     // whether steps depend on the speed everywhere
};
static_assert(sizeof(March) == 72 + 48 + 48 + 64, "mirrored in Rust");

// What all threads of a block share beside the fields.
struct Board {
    Clock now;
    Real inverse_diagonal[64];
};

// A field's values in the grid and its first halo, from memory to the tile; `split` for pressures.
// Own cells are left out if the tile has them.
INLINE void load(const Tiling& t, const Place& here, const Real* from, Real* to, bool in_split, bool all) {
    const int low[2] = {max(here.first[0], -1), max(here.first[1], -1)};
    const int high[2] = {min(here.first[0] + t.extent[0], t.cells[0] + 1),
                         min(here.first[1] + t.extent[1], t.cells[1] + 1)};
    for (int j = low[1] + warp(); j < high[1]; j += warps()) {
        const bool row_is_own = !all && j >= here.own[1] && j < here.end[1];
        const Real* row = from + static_cast<int64>(j + 1) * t.pitch + 1;
        for (int i = low[0] + lane(); i < high[0]; i += 32) {
            if (row_is_own && i >= here.own[0] && i < here.end[0]) continue;
            to[in_split ? split(t, here, i, j) : natural(t, here, i, j)] = fresh(row + i);
        }
    }
}

// The own pressures, from the tile to memory.
INLINE void store(const Tiling& t, const Place& here, const Real* p, Real* to) {
    for (int j = here.own[1] + warp(); j < here.end[1]; j += warps()) {
        Real* row = to + static_cast<int64>(j + 1) * t.pitch + 1;
        for (int i = here.own[0] + lane(); i < here.end[0]; i += 32) row[i] = p[split(t, here, i, j)];
    }
}

// Waits for the eight neighbours' flags.
INLINE void await_neighbours(const Tiling& t, const uint32* flags, uint32 stamp) {
    if (threadIdx.x < 9 && threadIdx.x != 4) {
        const int x = blockIdx.x % t.tiles[0] + threadIdx.x % 3 - 1;
        const int y = blockIdx.x / t.tiles[0] + threadIdx.x / 3 - 1;
        if (x >= 0 && x < t.tiles[0] && y >= 0 && y < t.tiles[1]) await(flags + x + y * t.tiles[0], stamp);
    }
    __syncthreads();
}

// Waits until all blocks have come here `times` times.
INLINE void await_all(uint32* arrivals, uint32 times) {
    __syncthreads();
    if (threadIdx.x == 0) {
        arrive(arrivals);
        await(arrivals, times * gridDim.x);
    }
    __syncthreads();
}

// Twins of relaxation.rs.
INLINE double settling_in(const Stopping& rule, int count) {
    return rule.optimal ? fmin(rule.omega, fmax(2.0 - 2.0 / static_cast<double>(count), 1.0)) : rule.omega;
}
INLINE int settling_time(const Stopping& rule) { return static_cast<int>(ceil(2.0 / (2.0 - rule.omega))); }

INLINE double number(Bits bits) { return static_cast<double>(real_of(bits)); }

// F and G, eqs. (F1) to (F4), where the right-hand side will need them.
INLINE void predict_tile(const March& run, const Place& here, const unsigned char* kind, const Real* u,
                         const Real* v, const Clock& now, Real* f, Real* g) {
    const Tiling& t = run.tiling;
    const int margin = 2 * t.batch, up = t.extent[0];
    const Range x = range(t, here, 0, margin, margin + 1), y = range(t, here, 1, margin, margin + 1);
    Transport k[2];
    for (int d = 0; d < 2; ++d) {
        const double h = run.pace.spacing[d];
        k[d] = {Real(run.pace.viscosity / (h * h)), Real(1.0 / h), Real(now.gamma), Real(0.5)};
    }
    const Real dt = Real(now.dt), half = Real(0.5), force[2] = {Real(run.force[0]), Real(run.force[1])};
    const bool central = now.gamma == 0.0;
    for (int j = y.low + warp(); j < y.high; j += warps()) {
        for (int i = x.low + lane(); i < x.high; i += 32) {
            const int at = natural(t, here, i, j);
            const unsigned char flags = kind[split(t, here, i, j)];
            const Real u_west = half * (u[at - 1] + u[at]), u_east = half * (u[at] + u[at + 1]);
            const Real v_south = half * (v[at - 1] + v[at]), v_north = half * (v[at + up - 1] + v[at + up]);
            const Real u_low = half * (u[at - up] + u[at]), u_high = half * (u[at + 1 - up] + u[at + 1]);
            const Real v_low = half * (v[at - up] + v[at]), v_high = half * (v[at] + v[at + up]);
            Real rate_u = force[0], rate_v = force[1];
            if (central) {
                rate_u += transport_central(u[at - 1], u[at], u[at + 1], u_west, u_east, k[0]);
                rate_u += transport_central(u[at - up], u[at], u[at + up], v_south, v_north, k[1]);
                rate_v += transport_central(v[at - 1], v[at], v[at + 1], u_low, u_high, k[0]);
                rate_v += transport_central(v[at - up], v[at], v[at + up], v_low, v_high, k[1]);
            } else {
                rate_u += transport(u[at - 1], u[at], u[at + 1], u_west, u_east, k[0]);
                rate_u += transport(u[at - up], u[at], u[at + up], v_south, v_north, k[1]);
                rate_v += transport(v[at - 1], v[at], v[at + 1], u_low, u_high, k[0]);
                rate_v += transport(v[at - up], v[at], v[at + up], v_low, v_high, k[1]);
            }
            f[at] = Real(flags >> 6 & 1) * (u[at] + dt * rate_u);
            g[at] = Real(flags >> 7 & 1) * (v[at] + dt * rate_v);
        }
    }
}

// The right-hand side, eq. (F5), where pressures will be relaxed.
INLINE void divergence_tile(const March& run, const Place& here, const Real* f, const Real* g,
                            const Clock& now, Real* b) {
    const Tiling& t = run.tiling;
    const int margin = 2 * t.batch;
    const Range x = range(t, here, 0, margin, margin), y = range(t, here, 1, margin, margin);
    const Real inverse[2] = {Real(1.0 / (run.pace.spacing[0] * now.dt)), Real(1.0 / (run.pace.spacing[1] * now.dt))};
    for (int j = y.low + warp(); j < y.high; j += warps()) {
        for (int i = x.low + lane(); i < x.high; i += 32) {
            const int at = natural(t, here, i, j);
            Real sum = Real(0);
            sum += inverse[0] * (f[at + 1] - f[at]);
            sum += inverse[1] * (g[at + t.extent[0]] - g[at]);
            b[split(t, here, i, j)] = sum;
        }
    }
}

// The own velocities corrected by the pressure gradient, eq. (F8), into memory and, if the tile has
// room for them, into it; their largest magnitudes and changes.
INLINE void project_tile(const March& run, const Place& here, const unsigned char* kind, const Real* f,
                         const Real* g, const Real* p, const Clock& now, Real* u, Real* v,
                         const Real* u_old, const Real* v_old, Real* u_new, Real* v_new, Bits most[3]) {
    const Tiling& t = run.tiling;
    const Real dt_h[2] = {Real(now.dt / run.pace.spacing[0]), Real(now.dt / run.pace.spacing[1])};
    for (int j = here.own[1] + warp(); j < here.end[1]; j += warps()) {
        const int64 row = static_cast<int64>(j + 1) * t.pitch + 1;
        for (int i = here.own[0] + lane(); i < here.end[0]; i += 32) {
            const int at = natural(t, here, i, j), centre = split(t, here, i, j);
            const unsigned char flags = kind[centre];
            const Real open[2] = {Real(flags >> 6 & 1), Real(flags >> 7 & 1)};
            const Real high = p[centre], west = p[split(t, here, i - 1, j)], south = p[split(t, here, i, j - 1)];
            const Real new_u = projected(f[at], west, high, dt_h[0], open[0]);
            const Real new_v = projected(g[at], south, high, dt_h[1], open[1]);
            const Real was_u = run.roomy ? u[at] : fresh(u_old + row + i);
            const Real was_v = run.roomy ? v[at] : fresh(v_old + row + i);
            most[0] = larger(most[0], bits_of(new_u));
            most[1] = larger(most[1], bits_of(new_v));
            most[2] = larger(most[2], larger(bits_of(open[0] * (new_u - was_u)), bits_of(open[1] * (new_v - was_v))));
            u_new[row + i] = new_u;
            v_new[row + i] = new_v;
            if (run.roomy) u[at] = new_u, v[at] = new_v;
        }
    }
}

KERNEL FULL_BLOCK march(const March run, const unsigned char* kinds, const Real* inverse_diagonals, const int* starts,
      const Fixed* fixed, const Ghost* ghosts, const Outlet* outlets, Real* u0, Real* v0, Real* p0,
      Real* u1, Real* v1, Real* p1, Real* q0, Real* q1, uint32* flags, uint32* arrivals, Bits* found,
      Bits* motion, double* instants, int* iterations) {
    SHARED(Board, board);
    const Tiling& t = run.tiling;
    const Stopping& rule = run.stopping;
    const int size = t.extent[0] * t.extent[1];
    Real* const f = reinterpret_cast<Real*>(board + 1);
    Real* const g = f + size;
    Real* const u = g + size;
    Real* const v = u + size;
    Real* const b = run.roomy ? v + size : u;
    Real* const p = run.roomy ? b + size : v;
    unsigned char* const kind = reinterpret_cast<unsigned char*>((run.roomy ? p : v) + size);
    const Place here = place_of(t, blockIdx.x);
    const Lists lists = lists_of(run.levels, starts, fixed, ghosts, outlets);
    uint32 stamp = 0, gatherings = 0, rounds = 0, tests = 0;

    for (int at = threadIdx.x; at < size; at += blockDim.x) kind[at] = kinds[static_cast<int64>(blockIdx.x) * size + at];
    if (threadIdx.x < 64) board->inverse_diagonal[threadIdx.x] = inverse_diagonals[threadIdx.x];
    if (threadIdx.x == 0) board->now = {run.time, {run.speed[0], run.speed[1]}, 0.0, 0.0};
    const Real h2[2] = {Real(1.0 / (run.pace.spacing[0] * run.pace.spacing[0])), Real(1.0 / (run.pace.spacing[1] * run.pace.spacing[1]))};

    for (int step = 0; step < run.steps; ++step) {
        const bool odd = step & 1;
        Real *const u_old = odd ? u1 : u0, *const v_old = odd ? v1 : v0, *const p_old = odd ? p1 : p0;
        Real *const u_new = odd ? u0 : u1, *const v_new = odd ? v0 : v1, *const p_new = odd ? p0 : p1;
        const bool all = step == 0 || !run.roomy;
        load(t, here, u_old, u, false, all);
        load(t, here, v_old, v, false, all);
        if (run.roomy) load(t, here, p_old, p, true, all);
        if (threadIdx.x == 0) choose_step(board->now, run.pace);
        __syncthreads();
        const Clock now = board->now;
        complete(lists, u, v);

        predict_tile(run, here, kind, u, v, now, f, g);
        __syncthreads();
        predict_boundary(lists, f, g);
        __syncthreads();
        divergence_tile(run, here, f, g, now, b);
        __syncthreads();
        subtract_prescribed(lists, b);
        if (!run.roomy) load(t, here, p_old, p, true, true);
        __syncthreads();

        // The pressure; twin of solve_pressure in step.rs: gentle iterations and a test by turns with
        // stronger ones, if omega adapts.
        bool gentle = true, margins_hold = true;
        int count = rule.test_every, done = 0;
        if (rule.rule == 0) count = run.step + step + 1 <= rule.first_steps ? rule.first : rule.then;
        while (true) {
            const double omega = settling_in(rule, count);
            const Weights w = {{h2[0], h2[1]}, Real(omega), Real(1.0 - omega)};
            Bits change = 0;
            while (count > 0) {
                if (!margins_hold) {
                    Real* const letter = rounds++ & 1 ? q1 : q0;
                    store(t, here, p, letter);
                    __syncthreads();
                    ++stamp;
                    if (threadIdx.x == 0) publish(flags + blockIdx.x, stamp);
                    await_neighbours(t, flags, stamp);
                    load(t, here, letter, p, true, false);
                    __syncthreads();
                }
                const int batch = min(count, t.batch);
                count -= batch;
                done += batch;
                const int measured = rule.rule == 1 && gentle && count == 0;
                sweeps_kept(t, here, p, b, kind, board->inverse_diagonal, batch - measured, measured, w);
                if (measured) change = sweeps<true>(t, here, p, b, kind, board->inverse_diagonal, 1, w);
                margins_hold = false;
            }
            if (rule.rule == 0) break;
            if (gentle) {
                Bits mine[2] = {change, 0};
                if (rule.rule == 2) worst(t, here, p, b, kind, board->inverse_diagonal, w, mine);
                Bits* const slot = found + 2 * (tests % 3);
                raise(slot, mine[0]);
                raise(slot + 1, mine[1]);
                // Nobody looks at the next test's slot before all have come here.
                if (blockIdx.x == 0 && threadIdx.x < 2) found[2 * ((tests + 1) % 3) + threadIdx.x] = 0;
                ++tests;
                await_all(arrivals, ++gatherings);
                const double reached = number(fresh(slot));
                const double load = rule.rule == 1 ? 1.0 : number(fresh(slot + 1));
                const bool lost = rule.rule == 2 && reached != reached;
                if (reached <= rule.tolerance * load || lost || done >= rule.most) break;
            }
            gentle = !gentle || !rule.optimal;
            count = gentle ? rule.test_every : min(done, settling_time(rule));
        }

        Bits most[3] = {0, 0, 0};
        project_tile(run, here, kind, f, g, p, now, u, v, u_old, v_old, u_new, v_new, most);
        store(t, here, p, p_new);
        for (int c = 0; c < 3; ++c) raise(motion + 3 * step + c, most[c]);
        __syncthreads();
        project_outlets_tile(lists, f, g, p, now, u, v, u_new, v_new, run.roomy);
        __syncthreads();
        ++stamp;
        if (threadIdx.x == 0) {
            publish(flags + blockIdx.x, stamp);
            board->now.time = end_of_step(now, run.pace);
            if (blockIdx.x == 0) {
                instants[2 * step] = board->now.time;
                instants[2 * step + 1] = now.dt;
                iterations[step] = done;
            }
        }
        if (run.adaptive) {
            await_all(arrivals, ++gatherings);
            if (threadIdx.x < 2) board->now.speed[threadIdx.x] = number(fresh(motion + 3 * step + threadIdx.x));
        }
        await_neighbours(t, flags, stamp);
        if (!(board->now.time < run.pace.latest)) break;
    }
}
