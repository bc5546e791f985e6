// A multigrid cycle V(pre,post) on the smallest levels, in one launch of one block that keeps
// unknowns and right-hand sides in shared memory: the same bits as relax_level.cu,
// restrict_level.cu and prolong_level.cu give level by level. No equation; twin of `v_cycle` in
// crates/linear/src/cycle.rs.
//
// levels: as many as `count`, one after the other, the last of one cell. c, inverse: arrays of all these
// levels. b, x: of the first of them; own cells of b are read, x is written with its halo, and read
// with it unless from_zero says that it is zero, whatever it holds. Shared memory: the levels and what
// the threads know of each, and two numbers for each place of all; with keeps_coefficients those of c
// and inverse, too, which follow from the first level's c if the block coarsens. A level of a plane has
// no more pairs of cells than the block has threads: those without a pair wait where they have one.
#include "linear/kept_levels.cuh"

// What the block has of all levels: coefficients, one over their sums, unknowns and right-hand sides.
struct Arrays {
    const Real* c;
    const Real* inverse;
    Real* x;
    Real* b;
};

INLINE Arrays arrays_of(const Kept& level, const Arrays& all) {
    return {all.c + level.coefficients, all.inverse + level.first, all.x + level.first, all.b + level.first};
}

// These times what is beside it.
INLINE Real sum_beside(const Kept& level, const Real* x, int here, const Real (&sides)[SIDES]) {
    Real beside[SIDES];
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        beside[2 * d] = x[here - stride_in(level, d)];
        beside[2 * d + 1] = x[here + stride_in(level, d)];
    }
    return sum_of(sides, beside);
}

// Copies the unknown into the halo cells that stand for own ones, without edges. Ends with a barrier.
INLINE void fill_halo(const Kept& level, Real* x) {
    meet_on(level, level.team);
    if (level.periodic == 0) return;
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        if (!(level.periodic >> d & 1)) continue;
        Kept side = level;
        side.cells[d] = 1;
        if (d == 0) side.rows = 1.0f;
        const int around = level.cells[d] * stride_in(level, d), last = around - stride_in(level, d);
        each_cell(side, level.team, [&](const Indices& at) {
            const int here = place_in(level, at.i, at.j, at.k);
            x[here + around] = x[here];
            x[here + last - around] = x[here + last];
        });
    }
    meet_on(level, level.team);
}

// The two cells of a thread on a level of a plane: a pair along x.
struct Pair {
    int i, j, here;  // of the first, and its place
    int cells;       // how many there are
};

INLINE Pair pair_of(const Kept& level) {
    const int pairs = (level.cells[0] + 1) / 2, j = times_in(thread_of_block(), level.pairs);
    const int i = 2 * (thread_of_block() - pairs * j);
    const int cells = DIRECTIONS == 3 || j >= level.cells[1] ? 0 : min(level.cells[0] - i, 2);
    return {i, j, place_in(level, i, j, 0), cells};
}

// The equation of one of them.
struct Mine {
    int here;  // negative if there is no cell
    Real sides[SIDES], inverse, b;
};

INLINE Mine mine_of(const Kept& level, const Arrays& of, const Pair& pair, int colour) {
    Mine mine = {-1, {}, Real(0), Real(0)};
    const int which = (level.origin + pair.j + colour) & 1;
    if (which >= pair.cells) return mine;
    mine.here = pair.here + which;
    take_sides(level, of.c, mine.here, mine.sides);
    mine.inverse = of.inverse[mine.here];
    mine.b = of.b[mine.here];
    return mine;
}

INLINE Real residual_in(const Kept& level, const Real* x, const Mine& mine) {
    if (mine.here < 0) return Real(0);
    return residual_of(mine.b, sum_beside(level, x, mine.here, mine.sides), diagonal_of(mine.sides), x[mine.here]);
}

// One colour of Gauss-Seidel.
INLINE void relax(const Kept& level, const Arrays& of, const Mine& mine, int colour, Real omega) {
    const auto new_value = [&](int here, Real inverse, Real b, const Real (&sides)[SIDES]) {
        const Real value = relaxed(inverse, b, sum_beside(level, of.x, here, sides));
        of.x[here] = omega == Real(1) ? value : weighted(of.x[here], omega, value);
    };
    if (DIRECTIONS == 2) {
        if (mine.here >= 0) new_value(mine.here, mine.inverse, mine.b, mine.sides);
    } else {
        for (int k = threadIdx.z; k < level.cells[2]; k += blockDim.z) {
            for (int j = threadIdx.y; j < level.cells[1]; j += blockDim.y) {
                const int start = (level.origin + j + k + colour) & 1;
                for (int i = start + 2 * threadIdx.x; i < level.cells[0]; i += 2 * blockDim.x) {
                    const int here = place_in(level, i, j, k);
                    Real sides[SIDES];
                    take_sides(level, of.c, here, sides);
                    new_value(here, of.inverse[here], of.b[here], sides);
                }
            }
        }
    }
    fill_halo(level, of.x);
}

INLINE void restrict_to(const Kept& fine, const Arrays& of, const Kept& coarse, Real* b, const Transfer& step) {
    each_cell(coarse, fine.team, [&](const Indices& at) {
        b[place_in(coarse, at.i, at.j, at.k)] = sum_of_children(step, at, -1, [&](const Indices& child) {
            const int there = place_in(fine, child.i, child.j, child.k);
            Real sides[SIDES];
            take_sides(fine, of.c, there, sides);
            const Real sum = sum_beside(fine, of.x, there, sides);
            return residual_of(of.b[there], sum, diagonal_of(sides), of.x[there]);
        });
    });
    meet_on(fine, fine.team);
}

INLINE void prolong_from(const Kept& fine, Real* x, const Kept& coarse, const Real* x_coarse, const Transfer& step) {
    each_cell(fine, fine.team, [&](const Indices& at) {
        const Indices parent = parent_of(step, at);
        Real& here = x[place_in(fine, at.i, at.j, at.k)];
        here = here + x_coarse[place_in(coarse, parent.i, parent.j, parent.k)];
    });
    fill_halo(fine, x);
}

// The same where they are: each thread has the residuals of a pair, and the values of one.
INLINE void restrict_pairs(const Kept& fine, const Arrays& of, const Kept& coarse, Real* b, const Pair& pair,
                           const Mine& one, const Mine& other) {
    // The sum of both is the same in either order.
    const Real row = residual_in(fine, of.x, one) + residual_in(fine, of.x, other);
    Real* const to = b + place_in(coarse, pair.i / 2, pair.j / 2, 0);
    const bool is_second = pair.j & 1;
    if (pair.cells > 0 && is_second) *to = row;
    meet_on(fine, fine.team);
    if (pair.cells > 0 && !is_second) *to = row + (pair.j + 1 < fine.cells[1] ? *to : Real(0));
    meet_on(fine, fine.team);
}

INLINE void prolong_pairs(const Kept& fine, Real* x, const Kept& coarse, const Real* x_coarse, const Pair& pair) {
    if (pair.cells > 0) {
        const Real correction = x_coarse[place_in(coarse, pair.i / 2, pair.j / 2, 0)];
        x[pair.here] = x[pair.here] + correction;
        if (pair.cells > 1) x[pair.here + 1] = x[pair.here + 1] + correction;
    }
    fill_halo(fine, x);
}

KERNEL FULL_BLOCK small_levels(const int count, const int pre, const int post, const int from_zero,
                               const int keeps_coefficients, const int coarsens, const Level* levels,
                               const Real* c, const Real* inverse, const Real* b, Real* x) {
    SHARED(Real, of_block);
    // What the levels say is asked for here as well, so that all arrays can be on their way at the same time.
    const int top = static_cast<int>(length_of(levels[0].layout));
    const int places = static_cast<int>(levels[count - 1].layout.first + length_of(levels[count - 1].layout));
    const int threads = threads_of_block(), thread = thread_of_block();
    Real of_b[4], of_c[4 * DIRECTIONS];
    load_numbers(b, 0, top, of_b);
    if (keeps_coefficients && coarsens) load_numbers(c, 0, DIRECTIONS * top, of_c);
    at_once(of_b);
    at_once(of_c);
    const Level* const all = keep_levels(levels, count, of_block);
    Kept* const table = keep_table(all, count, of_block);
    Real* const shared = beyond_table(table, count);
    Real* const kept_b = shared + places;
    keep_numbers(of_b, 0, places, kept_b);
    take_numbers(b, 4 * threads, top, places, kept_b);
    take_numbers(x, 0, from_zero ? 0 : top, places, shared);
    if (keeps_coefficients) {
        Real* const kept_inverse = kept_b + places;
        Real* const kept_c = kept_inverse + places;
        if (coarsens) {
            keep_numbers(of_c, 0, DIRECTIONS * places, kept_c);
            take_numbers(c, 4 * DIRECTIONS * threads, DIRECTIONS * top, DIRECTIONS * places, kept_c);
            __syncthreads();
            coarsen_all(all, table, count, kept_c, kept_inverse);
        } else {
            take_numbers(inverse, 0, places, places, kept_inverse);
            take_numbers(c, 0, DIRECTIONS * places, DIRECTIONS * places, kept_c);
        }
        inverse = kept_inverse;
        c = kept_c;
    }
    __syncthreads();
    const Arrays arrays = {c, inverse, shared, kept_b};
    // Down to the last level and up again in one loop, so that its instructions are few.
    for (int turn = 0; turn < 2 * count - 1; ++turn) {
        const bool is_up = turn >= count;
        const int n = is_up ? 2 * count - 2 - turn : turn;
        const bool is_last = n + 1 == count;
        const Kept level = table[n];
        // Who has no cell here goes on to where it has one.
        if (thread >= level.team) continue;
        const Kept coarse = table[is_last ? n : n + 1];
        const Arrays of = arrays_of(level, arrays);
        Real* const x_coarse = arrays.x + coarse.first;
        Real* const b_coarse = arrays.b + coarse.first;
        const Transfer& step = all[n].next;
        const Pair pair = pair_of(level);
        if (is_up) {
            // Fewer have done what is on the coarser level.
            meet_on(level, level.team);
            if (DIRECTIONS == 2 && level.are_pairs) prolong_pairs(level, of.x, coarse, x_coarse, pair);
            else prolong_from(level, of.x, coarse, x_coarse, step);
        }
        // One cell needs no second time.
        const int sweeps = is_last ? 1 : is_up ? post : pre, black = is_up ? 0 : 1;
        const Mine first = mine_of(level, of, pair, 1 - black), second = mine_of(level, of, pair, black);
        for (int sweep = 1; sweep <= sweeps; ++sweep) {
            relax(level, of, first, 1 - black, is_up && sweep == 1 ? step.omega : Real(1));
            relax(level, of, second, black, !is_up && sweep == sweeps ? step.omega : Real(1));
        }
        if (is_up || is_last) continue;
        if (DIRECTIONS == 2 && level.are_pairs) restrict_pairs(level, of, coarse, b_coarse, pair, first, second);
        else restrict_to(level, of, coarse, b_coarse, step);
    }
    __syncthreads();
    for (int place = thread; place < top; place += threads) x[place] = shared[place];
}
