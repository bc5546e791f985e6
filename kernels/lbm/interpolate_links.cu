// Gives cells beside bodies what comes back to them, and bodies their own; eq. (L14b) of docs/src/theory/lbm.md.
//
// Thread n does the link whose places in f, populations less their weights, are towards[n], back[n], behind[n] and
// away[n] in steps of parity 0; in steps of parity 1 the first two and the last two change places. It reads all four and
// writes the first two, which no other thread reads or writes. leak: if the box is closed, what comes back more than has
// left is added to it, in units of LEAK_UNITS; what is too large goes round.
#include "lbm/interpolated.cuh"
#include "lbm/population.cuh"

KERNEL interpolate_links(const int count, const int parity, const int64* towards, const int64* back,
                         const int64* behind, const int64* away, const Real* of_towards, const Real* of_behind,
                         const Real* of_away, const Real* terms, const int is_closed, uint64* leak, Stored* f) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count) return;
    const int64 to_wall = parity == 0 ? towards[n] : back[n];
    const int64 from_wall = parity == 0 ? back[n] : towards[n];
    const int64 to_cell = parity == 0 ? behind[n] : away[n];
    const int64 from_cell = parity == 0 ? away[n] : behind[n];
    const Stored left = f[to_wall];
    const Real answer = back_from_body(number_of(left), number_of(f[to_cell]), number_of(f[from_cell]),
                                       of_towards[n], of_behind[n], of_away[n], terms[n]);
    f[to_wall] = f[from_wall];
    const Stored stored = population_of(answer);
    f[from_wall] = stored;
    if (is_closed) atomicAdd(leak, static_cast<uint64>(leak_in_units(number_of(stored), number_of(left))));
}
