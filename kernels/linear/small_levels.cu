// A multigrid cycle V(pre,post) on the smallest levels, in one launch of one block that keeps
// unknowns and right-hand sides in shared memory: the same bits as relax_level.cu,
// restrict_level.cu and prolong_level.cu give level by level. No equation; twin of `v_cycle` in
// crates/linear/src/cycle.rs.
//
// levels: as many as `count`, one after the other, the last of one cell. c, inverse: arrays of all these
// levels. b, x: of the first of them; own cells of b are read, x is written with its halo, and read
// with it unless from_zero says that it is zero, whatever it holds. Shared memory: the levels, and two numbers for each
// place of all; with keeps_coefficients those of c and inverse, too, which follow from the first level's c if the block
// coarsens. A level of a plane has no more pairs of cells than the block has threads.
#include "linear/kept_levels.cuh"

// A level in shared memory. Places are counted from its first one.
struct Kept {
    Layout layout;
    int length, strides[3];
    const Real* c;
    const Real* inverse;
    Real* x;
    Real* b;
    int periodic;
};

INLINE Kept kept_at(const Level* levels, int n, const Real* c, const Real* inverse, Real* x,
                    Real* b) {
    const Layout layout = levels[n].layout;
    const int first = static_cast<int>(layout.first);
    const int plane = layout.row * layout.rows, planes = layout.cells[2] + 2 * layout.halo[2];
    return {layout, plane * planes, {1, layout.row, plane}, c + DIRECTIONS * first, inverse + first,
            x + first, b + first, levels[n].periodic};
}

INLINE int place_in(const Layout& layout, int i, int j, int k) {
    const int line = j + layout.halo[1] + layout.rows * (k + layout.halo[2]);
    return line * layout.row + i + layout.halo[0];
}

// The coefficients of a cell's sides.
INLINE void take_sides(const Kept& level, int here, Real (&sides)[SIDES]) {
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        const Real* const c = level.c + d * level.length + here;
        sides[2 * d] = c[0];
        sides[2 * d + 1] = c[level.strides[d]];
    }
}

// These times what is beside it.
INLINE Real sum_beside(const Kept& level, int here, const Real (&sides)[SIDES]) {
    Real beside[SIDES];
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        beside[2 * d] = level.x[here - level.strides[d]];
        beside[2 * d + 1] = level.x[here + level.strides[d]];
    }
    return sum_of(sides, beside);
}

// Does something with all own cells; threads take turns.
template <class Work> INLINE void each_cell(const Layout& layout, const Work& work) {
    for (int k = threadIdx.z; k < layout.cells[2]; k += blockDim.z) {
        for (int j = threadIdx.y; j < layout.cells[1]; j += blockDim.y) {
            for (int i = threadIdx.x; i < layout.cells[0]; i += blockDim.x) {
                work(Indices{i, j, k}, place_in(layout, i, j, k));
            }
        }
    }
}

// Copies the unknown into the halo cells that stand for own ones, without edges. Ends with a barrier.
INLINE void fill_halo(const Kept& level) {
    const Layout& layout = level.layout;
    __syncthreads();
    if (level.periodic == 0) return;
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        if (!(level.periodic >> d & 1)) continue;
        Layout side = layout;
        side.cells[d] = 1;
        const int around = layout.cells[d] * level.strides[d], last = around - level.strides[d];
        each_cell(side, [&](const Indices&, int here) {
            level.x[here + around] = level.x[here];
            level.x[here + last - around] = level.x[here + last];
        });
    }
    __syncthreads();
}

// The equation of a thread's cell of one colour on a level of a plane.
struct Mine {
    int here;  // negative if there is no cell
    Real sides[SIDES], inverse, b;
};

INLINE Mine mine_of(const Kept& level, int colour) {
    Mine mine = {-1, {}, Real(0), Real(0)};
    if (DIRECTIONS == 3) return mine;
    const Layout& layout = level.layout;
    const int pairs = (layout.cells[0] + 1) / 2, j = thread_of_block() / pairs;
    const int i = 2 * (thread_of_block() % pairs) + first_of(layout, colour, j, 0);
    if (i >= layout.cells[0] || j >= layout.cells[1]) return mine;
    mine.here = place_in(layout, i, j, 0);
    take_sides(level, mine.here, mine.sides);
    mine.inverse = level.inverse[mine.here];
    mine.b = level.b[mine.here];
    return mine;
}

// One colour of Gauss-Seidel.
INLINE void relax(const Kept& level, const Mine& mine, int colour, Real omega) {
    if (DIRECTIONS == 2) {
        if (mine.here >= 0) {
            Real& x = level.x[mine.here];
            const Real value = relaxed(mine.inverse, mine.b, sum_beside(level, mine.here, mine.sides));
            x = omega == Real(1) ? value : weighted(x, omega, value);
        }
        fill_halo(level);
        return;
    }
    const Layout& layout = level.layout;
    for (int k = threadIdx.z; k < layout.cells[2]; k += blockDim.z) {
        for (int j = threadIdx.y; j < layout.cells[1]; j += blockDim.y) {
            const int start = first_of(layout, colour, j, k);
            for (int i = start + 2 * threadIdx.x; i < layout.cells[0]; i += 2 * blockDim.x) {
                const int here = place_in(layout, i, j, k);
                Real sides[SIDES];
                take_sides(level, here, sides);
                const Real value = relaxed(level.inverse[here], level.b[here], sum_beside(level, here, sides));
                level.x[here] = omega == Real(1) ? value : weighted(level.x[here], omega, value);
            }
        }
    }
    fill_halo(level);
}

INLINE void restrict_to(const Kept& fine, const Kept& coarse, const Transfer& step) {
    each_cell(coarse.layout, [&](const Indices& at, int here) {
        coarse.b[here] = sum_of_children(step, at, -1, [&](const Indices& child) {
            const int there = place_in(fine.layout, child.i, child.j, child.k);
            Real sides[SIDES];
            take_sides(fine, there, sides);
            const Real sum = sum_beside(fine, there, sides);
            return residual_of(fine.b[there], sum, diagonal_of(sides), fine.x[there]);
        });
    });
    __syncthreads();
}

INLINE void prolong_from(const Kept& fine, const Kept& coarse, const Transfer& step) {
    each_cell(fine.layout, [&](const Indices& at, int here) {
        const Indices parent = parent_of(step, at);
        fine.x[here] = fine.x[here] + coarse.x[place_in(coarse.layout, parent.i, parent.j, parent.k)];
    });
    fill_halo(fine);
}

KERNEL FULL_BLOCK small_levels(const int count, const int pre, const int post, const int from_zero,
                               const int keeps_coefficients, const int coarsens, const Level* levels,
                               const Real* c, const Real* inverse, const Real* b, Real* x) {
    SHARED(Real, of_block);
    const Level* const all = keep_levels(levels, count, of_block);
    Real* const shared = beyond_levels(of_block, count);
    const Layout top = all[0].layout, last = all[count - 1].layout;
    const int places = static_cast<int>(last.first + length_of(last));
    const int threads = threads_of_block(), thread = thread_of_block();
    Real* const kept_b = shared + places;
    for (int place = thread; place < places; place += threads) {
        const bool is_top = place < length_of(top);
        shared[place] = is_top && !from_zero ? x[place] : Real(0);
        kept_b[place] = is_top ? b[place] : Real(0);
    }
    if (keeps_coefficients) {
        Real* const kept_inverse = kept_b + places;
        Real* const kept_c = kept_inverse + places;
        if (coarsens) {
            take_coefficients(all, count, c, kept_c);
            coarsen_all(all, count, kept_c, kept_inverse);
        } else {
            for (int place = thread; place < places; place += threads) kept_inverse[place] = inverse[place];
            for (int place = thread; place < DIRECTIONS * places; place += threads) kept_c[place] = c[place];
        }
        inverse = kept_inverse;
        c = kept_c;
    }
    __syncthreads();
    // Down to the last level and up again in one loop, so that its instructions are few.
    for (int turn = 0; turn < 2 * count - 1; ++turn) {
        const bool is_up = turn >= count;
        const int n = is_up ? 2 * count - 2 - turn : turn;
        const bool is_last = n + 1 == count;
        const Kept level = kept_at(all, n, c, inverse, shared, kept_b);
        const Kept coarse = kept_at(all, is_last ? n : n + 1, c, inverse, shared, kept_b);
        const Transfer& step = all[n].next;
        if (is_up) prolong_from(level, coarse, step);
        // One cell needs no second time.
        const int sweeps = is_last ? 1 : is_up ? post : pre, black = is_up ? 0 : 1;
        const Mine first = mine_of(level, 1 - black), second = mine_of(level, black);
        for (int sweep = 1; sweep <= sweeps; ++sweep) {
            relax(level, first, 1 - black, is_up && sweep == 1 ? step.omega : Real(1));
            relax(level, second, black, !is_up && sweep == sweeps ? step.omega : Real(1));
        }
        if (!is_up && !is_last) restrict_to(level, coarse, step);
    }
    for (int place = thread; place < length_of(top); place += threads) x[place] = shared[place];
}
