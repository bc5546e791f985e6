// Sums of the squares of residuals and right-hand sides over own cells, for their root mean
// squares; eq. (F13) of docs/src/theory/fdm.md. Squares are integers in units of the largest one's
// 2^-60, so the sums are exact and do not depend on their order.
//
// Arrays are those of residual.cu; reductions: slots RESIDUAL and RIGHT_HAND_SIDE hold the largest
// magnitudes. sums: low and high 32 bits of the squares of residuals, then of right-hand sides, are
// added. Threads stride over rows. Shared memory: SUMS numbers for each thread.
#include "fdm/equation.cuh"
#include "fdm/reductions.cuh"

constexpr int SUMS = 4;

// Adds the square of a value to low and high sum.
INLINE void add_square(uint64 sums[2], Real value, Real largest) {
    const double most = static_cast<double>(largest);
    if (!(most > 0.0) || most - most != 0.0) return;  // nothing to add, or not finite
    const double unit = static_cast<double>(1 << 30) / most;
    const int64 scaled = static_cast<int64>(round(static_cast<double>(value) * unit));
    const uint64 square = static_cast<uint64>(scaled * scaled);
    sums[0] += square & 0xffffffffu;
    sums[1] += square >> 32;
}

KERNEL squares(const Layout layout, const Sweep sweep, const Real* red, const Real* black,
               const Real* b_red, const Real* b_black, const unsigned char* kinds_red,
               const unsigned char* kinds_black, const Real* inverse_diagonals, const Real* reductions,
               uint64* sums) {
    const Equation of = {red,       black,       b_red, b_black,
                         kinds_red, kinds_black, inverse_diagonals};
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int64 lines = static_cast<int64>(layout.cells[1]) * layout.cells[2];
    uint64 mine[SUMS] = {0, 0, 0, 0};
    for (int64 line = blockIdx.y; line < lines && i < layout.cells[0]; line += gridDim.y) {
        const int j = static_cast<int>(line % layout.cells[1]);
        const int k = static_cast<int>(line / layout.cells[1]);
        const Misfit here = misfit_at(layout, sweep, of, cell_at(layout, i, j, k));
        add_square(mine, here.residual, reductions[RESIDUAL]);
        add_square(mine + 2, here.right_hand_side, reductions[RIGHT_HAND_SIDE]);
    }
    SHARED(uint64, shared);
    for (int n = 0; n < SUMS; ++n) shared[SUMS * threadIdx.x + n] = mine[n];
    for (int width = blockDim.x / 2; width > 0; width /= 2) {
        __syncthreads();
        if (static_cast<int>(threadIdx.x) < width) {
            for (int n = 0; n < SUMS; ++n) {
                shared[SUMS * threadIdx.x + n] += shared[SUMS * (threadIdx.x + width) + n];
            }
        }
    }
    if (threadIdx.x == 0) {
        for (int n = 0; n < SUMS; ++n) atomicAdd(sums + n, shared[n]);
    }
}
