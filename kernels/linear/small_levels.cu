// A multigrid cycle V(pre,post) on the smallest levels, in one launch of one block that keeps
// unknowns and right-hand sides in shared memory: the same bits as relax_level.cu,
// restrict_level.cu and prolong_level.cu give level by level. No equation; twin of `v_cycle` in
// crates/linear/src/cycle.rs.
//
// levels: as many as `count`, one after the other, the last of one cell. c, inverse: arrays of all these
// levels. b, x: of the first of them; own cells of b are read, x is written with its halo, and read
// with it unless from_zero says that it is zero, whatever it holds. Shared memory: two numbers for each
// place of all levels.
#include "linear/level.cuh"

// A level in shared memory.
struct Kept {
    Layout layout;
    const Real* c;
    const Real* inverse;
    Real* x;
    Real* b;
    int periodic;
};

INLINE Kept kept_at(const Level* levels, int n, const Real* c, const Real* inverse, Real* x,
                    Real* b) {
    const Layout layout = levels[n].layout;
    const int64 first = layout.first;
    return {layout, coefficients_of(layout, c), inverse + first, x + first, b + first,
            levels[n].periodic};
}

// Does something with all own cells; threads take turns.
template <class Work> INLINE void each_cell(const Layout& layout, const Work& work) {
    for (int k = threadIdx.z; k < layout.cells[2]; k += blockDim.z) {
        for (int j = threadIdx.y; j < layout.cells[1]; j += blockDim.y) {
            for (int i = threadIdx.x; i < layout.cells[0]; i += blockDim.x) {
                const Indices at = {i, j, k};
                work(at, place_of(layout, at));
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
        const int64 around = layout.cells[d] * stride_of(layout, d);
        const int64 last = around - stride_of(layout, d);
        each_cell(side, [&](const Indices&, int64 here) {
            level.x[here + around] = level.x[here];
            level.x[here + last - around] = level.x[here + last];
        });
    }
    __syncthreads();
}

// One colour of Gauss-Seidel.
INLINE void relax(const Kept& level, int colour, Real omega) {
    const Layout& layout = level.layout;
    for (int k = threadIdx.z; k < layout.cells[2]; k += blockDim.z) {
        for (int j = threadIdx.y; j < layout.cells[1]; j += blockDim.y) {
            const int start = first_of(layout, colour, j, k);
            for (int i = start + 2 * threadIdx.x; i < layout.cells[0]; i += 2 * blockDim.x) {
                const int64 here = place_of(layout, {i, j, k});
                level.x[here] =
                    relaxed_at(layout, omega, level.c, level.inverse, level.b, level.x, here);
            }
        }
    }
    fill_halo(level);
}

INLINE void descend(const Kept& fine, const Kept& coarse, const Transfer& step) {
    each_cell(coarse.layout, [&](const Indices& at, int64 here) {
        coarse.b[here] = sum_of_children(step, at, -1, [&](const Indices& child) {
            return residual_at(fine.layout, fine.c, fine.b, fine.x, place_of(fine.layout, child));
        });
    });
    __syncthreads();
}

INLINE void ascend(const Kept& fine, const Kept& coarse, const Transfer& step) {
    each_cell(fine.layout, [&](const Indices& at, int64 here) {
        fine.x[here] =
            fine.x[here] + coarse.x[place_of(coarse.layout, parent_of(step, at))];
    });
    fill_halo(fine);
}

KERNEL FULL_BLOCK small_levels(const int count, const int pre, const int post,
                               const int from_zero, const Level* levels, const Real* c,
                               const Real* inverse, const Real* b, Real* x) {
    SHARED(Real, shared);
    const Layout top = levels[0].layout, last = levels[count - 1].layout;
    const int places = static_cast<int>(last.first + length_of(last));
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    Real* const kept_b = shared + places;
    for (int place = thread; place < places; place += threads) {
        const bool is_top = place < length_of(top);
        shared[place] = is_top && !from_zero ? x[place] : Real(0);
        kept_b[place] = is_top ? b[place] : Real(0);
    }
    __syncthreads();
    for (int n = 0; n + 1 < count; ++n) {
        const Kept fine = kept_at(levels, n, c, inverse, shared, kept_b);
        const Kept coarse = kept_at(levels, n + 1, c, inverse, shared, kept_b);
        const Transfer step = levels[n].next;
        for (int half = 1; half <= 2 * pre; ++half) {
            relax(fine, 1 - half % 2, half == 2 * pre ? step.omega : Real(1));
        }
        descend(fine, coarse, step);
    }
    relax(kept_at(levels, count - 1, c, inverse, shared, kept_b), 0, Real(1));
    for (int n = count - 2; n >= 0; --n) {
        const Kept fine = kept_at(levels, n, c, inverse, shared, kept_b);
        const Kept coarse = kept_at(levels, n + 1, c, inverse, shared, kept_b);
        const Transfer step = levels[n].next;
        ascend(fine, coarse, step);
        for (int half = 0; half < 2 * post; ++half) {
            relax(fine, 1 - half % 2, half == 0 ? step.omega : Real(1));
        }
    }
    for (int place = thread; place < length_of(top); place += threads) x[place] = shared[place];
}
