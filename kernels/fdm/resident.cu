// Whole time steps of a plane flow in one launch: eqs. (F1) to (F14) of docs/src/theory/fdm.md in
// the order of crates/fdm/src/step.rs. Each block keeps a tile with margins in shared memory, does
// `tiling.batch` pressure iterations on it at a time, and has word from its eight neighbours once a
// step and once a batch, through flags in the second-level cache. All blocks run at the same time
// (cooperative launch). What does not fit there lies in the device's memory (`held_of`).
//
// Fields u, v in m/s on low faces, p in m2/s2 at centres: padded rows of `pitch`, one halo cell,
// two copies; step n reads copy n % 2 with margins and writes the tile's own cells of the other.
// Halo values of walls, inflows and symmetry are not kept in memory but made from the lists of each
// tile. `q` carries pressures within a step; `predictions` has room for F and G of each tile.
// `motion` holds bits of the largest |u|, |v| and change of each step, `instants` its time and length
// in s, `iterations` its iterations, 0 where none was done, `unmet` what the last test found and the
// number that it is a share of, if the rule was not met.
#include "fdm/resident/boundary.cuh"
#include "fdm/resident/registers.cuh"
#include "fdm/resident/step.cuh"

// Waits for the eight neighbours' flags.
INLINE void await_neighbours(const Tiling& t, const uint32* flags, uint32 stamp) {
    if (threadIdx.x < 9 && threadIdx.x != 4) {
        const int x = blockIdx.x % t.tiles[0] + threadIdx.x % 3 - 1;
        const int y = blockIdx.x / t.tiles[0] + threadIdx.x / 3 - 1;
        if (x >= 0 && x < t.tiles[0] && y >= 0 && y < t.tiles[1])
            await(flags + x + y * t.tiles[0], stamp);
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

KERNEL FULL_BLOCK resident(const ResidentRun run, const unsigned char* kinds, const Real* inverse_diagonals,
                        const int* starts, const TileFixed* fixed, const TileGhost* ghosts,
                        const TileOutlet* outlets, Real* u0, Real* v0, Real* p0, Real* u1, Real* v1,
                        Real* p1, Real* q0, Real* q1, Real* predictions, uint32* flags, uint32* arrivals,
                        Bits* reductions, Bits* motion, double* instants, int* iterations, double* unmet) {
    SHARED(Board, board);
    const Tiling& t = run.tiling;
    const Stopping& rule = run.stopping;
    const int size = t.extent[0] * t.extent[1];
    const int held = held_of(run.held);
    const bool roomy = held == 6;
    const Cells cells = cells_of(board, size);
    unsigned char* const kind = cells.kind;
    Real *const p = cells.p, *const b = cells.b;
    Real* const f = held == 2 ? predictions + 2 * static_cast<int64>(blockIdx.x) * size : b + size;
    Real* const g = f + size;
    Real* const u = roomy ? g + size : b;
    Real* const v = roomy ? u + size : p;
    const Lists lists = lists_of(run.levels, starts, fixed, ghosts, outlets);
    uint32 stamp = 0, gatherings = 0, rounds = 0, tests = 0;
    Weights w = {};  // for this many iterations:
    int settled = 0;

    for (int at = threadIdx.x; at < size; at += blockDim.x)
        kind[at] = kinds[static_cast<int64>(blockIdx.x) * size + at];
    begin_launch(board, run, inverse_diagonals);
    __syncthreads();
    const bool alike = are_rows_alike(field_of(t, board->here));

    for (int step = 0; step < run.steps; ++step) {
        const bool odd = step & 1;
        Real *const u_old = odd ? u1 : u0, *const v_old = odd ? v1 : v0,
                    *const p_old = odd ? p1 : p0;
        Real *const u_new = odd ? u0 : u1, *const v_new = odd ? v0 : v1,
                    *const p_new = odd ? p0 : p1;
        if (roomy) {
            if (step == 0) {
                load<3, 2, true>(t, board, {u_old, v_old, p_old}, {u, v, p});
            } else {
                load<3, 2, false>(t, board, {u_old, v_old, p_old}, {u, v, p});
            }
        } else {
            load<2, 2, true>(t, board, {u_old, v_old}, {u, v});
        }
        if (threadIdx.x == 0) begin_step(board, run);
        __syncthreads();
        complete(lists, u, v);
        if (board->now.gamma == 0.0) {
            predict_tile<true>(run, kind, u, v, board, f, g);
        } else {
            predict_tile<false>(run, kind, u, v, board, f, g);
        }
        __syncthreads();
        predict_boundary(lists, f, g);
        __syncthreads();
        divergence_tile(run, f, g, board, b);
        __syncthreads();
        subtract_prescribed(lists, b);
        if (!roomy) load<1, 0, true>(t, board, {p_old}, {p});
        __syncthreads();

        // The pressure; twin of solve_pressure in step.rs: gentle iterations and a test by turns
        // with stronger ones, if omega adapts.
        bool gentle = true, margins_hold = true;
        int count = rule.test_every, done = 0;
        if (rule.rule == 0)
            count = run.step + step + 1 <= rule.first_steps ? rule.first : rule.then;
        while (true) {
            if (count != settled) {
                const double omega = settling_in(rule, count);
                w = {{board->inverse_h2[0], board->inverse_h2[1]}, Real(omega), Real(1.0 - omega)};
                settled = count;
            }
            Bits change = 0;
            while (count > 0) {
                if (!margins_hold) {
                    Real* const mailbox = rounds++ & 1 ? q1 : q0;
                    store(t, board, p, mailbox);
                    __syncthreads();
                    ++stamp;
                    if (threadIdx.x == 0) publish(flags + blockIdx.x, stamp);
                    await_neighbours(t, flags, stamp);
                    load<1, 0, false>(t, board, {mailbox}, {p});
                    __syncthreads();
                }
                const int batch = min(count, t.batch);
                count -= batch;
                done += batch;
                const int measured = rule.rule == 1 && gentle && count == 0;
                sweeps_in_registers(field_of(t, board->here), alike, batch - measured, w);
                if (measured)
                    change = sweeps<true>(t, board->here, p, b, kind, board->inverse_diagonal, 1, w);
                margins_hold = false;
            }
            if (rule.rule == 0) break;
            if (gentle) {
                Bits mine[2] = {change, 0};
                if (rule.rule == 2) worst(t, board->here, p, b, kind, board->inverse_diagonal, w, mine);
                Bits* const slot = reductions + 2 * (tests % 3);
                block_max(board->most, mine[0]);
                block_max(board->most + 1, mine[1]);
                __syncthreads();
                if (threadIdx.x < 2) {
                    atomicMax(slot + threadIdx.x, board->most[threadIdx.x]);
                    board->most[threadIdx.x] = 0;
                }
                // No block looks at the next test's slot before all have come here.
                if (blockIdx.x == 0 && threadIdx.x < 2)
                    reductions[2 * ((tests + 1) % 3) + threadIdx.x] = 0;
                ++tests;
                await_all(arrivals, ++gatherings);
                const double reached = number(fresh(slot));
                const double load = rule.rule == 1 ? 1.0 : number(fresh(slot + 1));
                const bool lost = rule.rule == 2 && reached != reached;
                if (reached <= rule.tolerance * load || lost) break;
                if (done >= rule.most) {
                    if (blockIdx.x == 0 && threadIdx.x == 0)
                        unmet[2 * step] = reached, unmet[2 * step + 1] = load;
                    break;
                }
            }
            gentle = !gentle || !rule.optimal;
            count = gentle ? rule.test_every : min(done, settling_time(rule));
        }

        Bits most[3] = {0, 0, 0};
        project_tile(run, kind, f, g, p, board, u, v, u_old, v_old, u_new, v_new, p_new,
                     roomy, most);
        for (int c = 0; c < 3; ++c) block_max(board->most + c, most[c]);
        __syncthreads();
        project_outlets_tile(lists, f, g, p, board->dt, u, v, u_new, v_new, roomy);
        if (threadIdx.x < 3) {
            atomicMax(motion + 3 * step + threadIdx.x, board->most[threadIdx.x]);
            board->most[threadIdx.x] = 0;
        }
        __syncthreads();
        ++stamp;
        if (threadIdx.x == 0) {
            publish(flags + blockIdx.x, stamp);
            board->now.time = end_of_step(board->now, run.pace);
            if (blockIdx.x == 0) {
                instants[2 * step] = board->now.time;
                instants[2 * step + 1] = board->now.dt;
                iterations[step] = done;
            }
        }
        if (run.adaptive) {
            await_all(arrivals, ++gatherings);
            if (threadIdx.x < 2)
                board->now.speed[threadIdx.x] = number(fresh(motion + 3 * step + threadIdx.x));
        }
        await_neighbours(t, flags, stamp);
        if (!(board->now.time < run.pace.latest)) break;
    }
}
