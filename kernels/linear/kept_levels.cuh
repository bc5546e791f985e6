// Small levels that one block works on, with what it knows of them in shared memory.
#pragma once
#include "linear/level.cuh"

INLINE int threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
INLINE int thread_of_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

// Copies levels to shared memory; ends with a barrier.
INLINE const Level* keep_levels(const Level* given, int count, Real* shared) {
    const int words = count * static_cast<int>(sizeof(Level) / sizeof(int64));
    for (int n = thread_of_block(); n < words; n += threads_of_block()) {
        reinterpret_cast<int64*>(shared)[n] = reinterpret_cast<const int64*>(given)[n];
    }
    __syncthreads();
    return reinterpret_cast<const Level*>(shared);
}

static_assert(sizeof(Level) % sizeof(int64) == 0 && sizeof(Level) % sizeof(Real) == 0, "copied in words");

// Numbers of the coefficients of the first level, and of all.
INLINE int coefficients_given(const Level* levels) { return DIRECTIONS * static_cast<int>(length_of(levels[0].layout)); }
INLINE int coefficients_in_all(const Level* levels, int count) {
    const Layout& last = levels[count - 1].layout;
    return DIRECTIONS * static_cast<int>(last.first + length_of(last));
}

// Some of an array's numbers on their way to shared memory, so many of each thread, from a place on; zero where there are none.
template <int N> INLINE void load_numbers(const Real* from, int begin, int given, Real (&numbers)[N]) {
#pragma unroll
    for (int n = 0; n < N; ++n) {
        const int place = begin + thread_of_block() + n * threads_of_block();
        numbers[n] = place < given ? from[place] : Real(0);
    }
}
template <int N> INLINE void keep_numbers(const Real (&numbers)[N], int begin, int all, Real* kept) {
#pragma unroll
    for (int n = 0; n < N; ++n) {
        const int place = begin + thread_of_block() + n * threads_of_block();
        if (place < all) kept[place] = numbers[n];
    }
}

// Copies numbers, from a place on, several at a time: the first wait is that of all.
INLINE void take_numbers(const Real* from, int begin, int given, int all, Real* kept) {
    constexpr int AT_ONCE = 4;
    for (; begin < all; begin += AT_ONCE * threads_of_block()) {
        Real numbers[AT_ONCE];
        load_numbers(from, begin, given, numbers);
        at_once(numbers);
        keep_numbers(numbers, begin, all, kept);
    }
}

// Copies the coefficients of the first level to shared memory; those of the others are zero. Ends with a barrier.
INLINE void take_coefficients(const Level* levels, int count, const Real* c, Real* kept) {
    take_numbers(c, 0, coefficients_given(levels), coefficients_in_all(levels, count), kept);
    __syncthreads();
}

// Copies those of the others back.
INLINE void give_coefficients(const Level* levels, int count, const Real* kept, Real* c) {
    const int given = coefficients_given(levels), all = coefficients_in_all(levels, count);
    for (int n = given + thread_of_block(); n < all; n += threads_of_block()) c[n] = kept[n];
}

// A level as the threads of the block see it: places are counted from its first own cell.
struct alignas(16) Kept {
    int first, length;           // place of its first own cell, and how many places there are
    int cells[3], row, plane;
    int origin, periodic;
    int barrier, team, workers;  // where those of the threads meet that relax it, and that find its coefficients
    float rows, pairs;           // one over the cells in a row, and over the pairs of cells
    int coefficients, are_pairs; // where they begin, seen from `first`; whether coarser cells are pairs of two rows
};
static_assert(sizeof(Kept) == 64 && sizeof(Level) % 16 == 0, "as in Rust");

// Whether the children of coarse cells of a plane are the pairs of two rows, the last of which may be missing.
INLINE int are_pairs(const Layout& fine, const Transfer& step) {
    bool are = DIRECTIONS == 2;
#pragma unroll
    for (int d = 0; d < 2; ++d) {
        are = are && step.factor[d] == 2 && step.child[d] == 0 && step.parent[d] == 0 && step.begin[d] == 0;
        are = are && step.end[d] == fine.cells[d] && step.start[d] == 0;
    }
    return are;
}

INLINE int first_own(const Layout& layout) {
    return static_cast<int>(layout.first) + static_cast<int>(place_of(layout, {0, 0, 0}));
}

INLINE Kept kept_of(const Level* levels, int n) {
    const Layout& layout = levels[n].layout;
    const int row = layout.row, plane = row * layout.rows, all = threads_of_block();
    const int pairs = (layout.cells[0] + 1) / 2, rows = layout.cells[1];
    const bool is_plane = DIRECTIONS == 2;
    return {first_own(layout), static_cast<int>(length_of(layout)),
            {layout.cells[0], rows, layout.cells[2]}, row, plane, layout.origin, levels[n].periodic,
            n + 1, is_plane ? team_of(pairs * rows) : all, is_plane ? team_of(layout.cells[0] * rows) : all,
            1.0f / layout.cells[0], 1.0f / pairs,
            first_own(layout) + (DIRECTIONS - 1) * static_cast<int>(layout.first), are_pairs(layout, levels[n].next)};
}

// What the threads know of each level, behind the levels in shared memory; to be read behind a barrier.
INLINE Kept* keep_table(const Level* levels, int count, Real* shared) {
    Kept* const table = reinterpret_cast<Kept*>(reinterpret_cast<Level*>(shared) + count);
    // The last warp has least to do.
    const int n = threads_of_block() - 1 - thread_of_block();
    if (n < count) table[n] = kept_of(levels, n);
    return table;
}

// What lies behind these.
INLINE Real* beyond_table(Kept* table, int count) { return reinterpret_cast<Real*>(table + count); }

INLINE int place_in(const Kept& level, int i, int j, int k) { return i + level.row * j + level.plane * k; }
INLINE int stride_in(const Kept& level, int d) { return d == 0 ? 1 : d == 1 ? level.row : level.plane; }

// Waits for a team at the barrier of a level.
INLINE void meet_on(const Kept& level, int team) {
    if (DIRECTIONS == 2) meet(level.barrier, team);
    else __syncthreads();
}

// The coefficients of a cell's sides.
INLINE void take_sides(const Kept& level, const Real* c, int here, Real (&sides)[SIDES]) {
#pragma unroll
    for (int d = 0; d < DIRECTIONS; ++d) {
        const Real* const low = c + d * level.length + here;
        sides[2 * d] = low[0];
        sides[2 * d + 1] = low[stride_in(level, d)];
    }
}

// Does something with all own cells; threads of a team take turns.
template <class Work> INLINE void each_cell(const Kept& level, int team, const Work& work) {
    if (DIRECTIONS == 2) {
        for (int n = thread_of_block(); n < level.cells[0] * level.cells[1]; n += team) {
            const int j = times_in(n, level.rows);
            work(Indices{n - level.cells[0] * j, j, 0});
        }
        return;
    }
    for (int k = threadIdx.z; k < level.cells[2]; k += blockDim.z) {
        for (int j = threadIdx.y; j < level.cells[1]; j += blockDim.y) {
            for (int i = threadIdx.x; i < level.cells[0]; i += blockDim.x) work(Indices{i, j, k});
        }
    }
}

// The coefficient at the low face of a coarse cell whose children are pairs of two rows.
INLINE Real coefficient_of_pairs(const Kept& fine, const Transfer& step, const Real* c, int d, int i, int j) {
    const int nx = fine.cells[0], ny = fine.cells[1];
    const int here = d == 0 ? min(2 * i, nx) + fine.row * 2 * j : 2 * i + fine.row * min(2 * j, ny);
    const bool has_second = d == 0 ? 2 * j + 1 < ny : 2 * i + 1 < nx;
    const Real first = c[here], second = has_second ? c[here + (d == 0 ? fine.row : 1)] : Real(0);
    return (first + second) * ratio_of(step, d, d == 0 ? i : j);
}

// Coefficients of a level of a plane whose cells are pairs of two rows, both directions at the same time.
INLINE void coarsen_pairs(const Kept& fine, const Kept& coarse, const Transfer& step, const Real* of_fine, Real* of_coarse) {
    const int nx = coarse.cells[0], ny = coarse.cells[1];
    for (int n = thread_of_block(); n < 2 * nx * ny; n += fine.workers) {
        const int d = n >= nx * ny, m = n - d * nx * ny, j = times_in(m, coarse.rows), i = m - nx * j;
        const Real* const from = of_fine + d * fine.length;
        Real* const to = of_coarse + d * coarse.length + place_in(coarse, i, j, 0);
        *to = coefficient_of_pairs(fine, step, from, d, i, j);
        const bool is_last = (d == 0 ? i : j) + 1 == (d == 0 ? nx : ny);
        if (is_last) to[d == 0 ? 1 : coarse.row] = coefficient_of_pairs(fine, step, from, d, i + (d == 0), j + (d == 1));
    }
}

// Coefficients of all levels from those of the first, and one over their sums. Ends with a barrier.
INLINE void coarsen_all(const Level* levels, const Kept* table, int count, Real* c, Real* inverse) {
    for (int n = 0; n < count; ++n) {
        const Kept fine = table[n];
        // Those that have nothing to do here have nothing to do later.
        if (thread_of_block() >= fine.workers) break;
        Real* const of_fine = c + fine.coefficients;
        if (n + 1 < count) {
            const Kept coarse = table[n + 1];
            const Layout &layout = levels[n].layout, &next = levels[n + 1].layout;
            if (DIRECTIONS == 2 && fine.are_pairs) coarsen_pairs(fine, coarse, levels[n].next, of_fine, c + coarse.coefficients);
            else each_cell(coarse, fine.workers, [&](const Indices& at) {
                coarsen_cell(layout, next, levels[n].next, c + DIRECTIONS * layout.first, c + DIRECTIONS * next.first, at);
            });
        }
        each_cell(fine, fine.workers, [&](const Indices& at) {
            const int here = place_in(fine, at.i, at.j, at.k);
            Real sides[SIDES];
            take_sides(fine, of_fine, here, sides);
            inverse[fine.first + here] = inverse_of(diagonal_of(sides));
        });
        meet_on(fine, fine.workers);
    }
    __syncthreads();
}
