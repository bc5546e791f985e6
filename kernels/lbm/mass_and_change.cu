// How much mass there is, how much the flow changed since the last look, and how fast and dense it is;
// eq. (L5) of docs/src/theory/lbm.md. Masses are added as integers, so the sum does not depend on their
// order. Twin of `mass_and_change` in crates/lbm/src/cpu.rs and of crates/lbm/src/watch.rs.
//
// f, warm: what is stored, before a step of this parity; see flow.cuh. solid: 1 where an own cell is not in
// the flow, x fastest; not read if watch.solids is 0. seen, in cells per step, one component after the other:
// velocities of watched cells at the last look, read and written by the cell's thread, and seen_warm their
// temperatures, if there is heat. most: raised to the largest change of a component, the largest squared speed,
// the largest density less one, of either sign, and the largest change of the temperature. density_deviation:
// low 32 bits and higher bits of the sum of density less one over the flow, in units of 2^-36, are added.
// Thread x does cells of every so many planes. Shared memory: 2 numbers of 64 bits for each thread, a power of
// two.
#include "lbm/flow.cuh"

// Every so many cells one that is watched; mirrored in crates/lbm/src/gpu/numbers.rs.
struct Watch {
    int first[3];  // first own cell watched in x, y and z
    int stride;    // distance to the next
    int count[3];  // how many there are
    int solids;    // whether there are solid cells
};
static_assert(sizeof(Watch) == 8 * sizeof(int), "mirrored in Rust");

// Number of a watched cell, x fastest; -1 of others.
INLINE int64 number_of_watched(const Watch& watch, const Indices& at) {
    const int index[3] = {at.i - watch.first[0], at.j - watch.first[1], at.k - watch.first[2]};
    int64 number = 0;
#pragma unroll
    for (int d = 2; d >= 0; --d) {
        if (index[d] < 0 || index[d] % watch.stride != 0) return -1;
        number = number * watch.count[d] + index[d] / watch.stride;
    }
    return number;
}

// Density less one in units of 2^-36; nothing if it is not finite.
INLINE int64 units(Real density_deviation) {
    const double all = static_cast<double>(density_deviation) * static_cast<double>(1LL << 36);
    return fabs(all) < 1e15 ? static_cast<int64>(rint(all)) : 0;
}

// Adds up the block's numbers, and then what all blocks have; every thread of the block calls it.
INLINE void add_up(uint64 low, uint64 high, uint64* total) {
    SHARED(uint64, shared);
    const int threads = blockDim.x, thread = threadIdx.x;
    shared[thread] = low;
    shared[thread + threads] = high;
    for (int width = threads / 2; width > 0; width /= 2) {
        __syncthreads();
        if (thread >= width) continue;
        shared[thread] += shared[thread + width];
        shared[thread + threads] += shared[thread + threads + width];
    }
    if (thread != 0) return;
    atomicAdd(total, shared[0]);
    atomicAdd(total + 1, shared[threads]);
}

KERNEL mass_and_change(const Layout layout, const Rates rates, const HeatRates heat, const Watch watch,
            const int parity, const unsigned char* solid, const Stored* f, const Stored* warm,
            Real* seen, Real* seen_warm, Bits* most, uint64* density_deviation) {
    const int64 watched = static_cast<int64>(watch.count[0]) * watch.count[1] * watch.count[2];
    uint64 low = 0, high = 0;
    Bits change = 0, square = 0, deviation = 0, warming = 0;
    for (int k = blockIdx.y; k < layout.cells[2]; k += gridDim.y) {
        const Indices at = cell_of_thread(layout, k);
        if (!is_own(layout, at)) continue;
        const int64 row = at.j + static_cast<int64>(layout.cells[1]) * at.k;
        const bool flows = !watch.solids || solid[at.i + layout.cells[0] * row] == 0;
        Real temperature = Real(0);
        const Moments found = flow_of(layout, at, parity, rates, heat, f, warm, temperature);
        const int64 mine = flows ? units(found.density_deviation) : 0;
        if (flows) {
            const Real* const u = found.u;
            square = larger(square, bits_of(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
            deviation = larger(deviation, bits_of(found.density_deviation));
        }
        low += static_cast<uint64>(mine) & 0xffffffffu;
        high += static_cast<uint64>(mine >> 32);
        const int64 number = number_of_watched(watch, at);
        if (number < 0) continue;
        for (int d = 0; d < 3; ++d) {
            Real* const last = seen + d * watched + number;
            const Real u = flows ? found.u[d] : Real(0);
            change = larger(change, bits_of(u - *last));
            *last = u;
        }
        if (!heat.is_there) continue;
        warming = larger(warming, bits_of(temperature - seen_warm[number]));
        seen_warm[number] = temperature;
    }
    block_max(most, change);
    block_max(most + 1, square);
    block_max(most + 2, deviation);
    block_max(most + 3, warming);
    add_up(low, high, density_deviation);
}
