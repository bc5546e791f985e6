// Two cells beside each other in a row whose populations are stored in 16 bits: two of them are read and written as a word.
// The places are those of layout.cuh.
#pragma once
#include "lbm/layout.cuh"

// Of both cells, as they are calculated with.
struct Two {
    Real low, high;
};

INLINE half16& half_at(Stored* at) { return *reinterpret_cast<half16*>(at); }
INLINE Real first_of(uint32 word) { return widened(half16{static_cast<unsigned short>(word & 0xffffu)}); }
INLINE Real second_of(uint32 word) { return widened(half16{static_cast<unsigned short>(word >> 16)}); }
INLINE uint32 word_at(const Stored* at) { return *reinterpret_cast<const uint32*>(at); }
INLINE void put_word(Stored* at, Real low, Real high) {
    *reinterpret_cast<uint32*>(at) = halves_of_floats(static_cast<float>(low), static_cast<float>(high));
}
INLINE void put_half(Stored* at, Real x) { half_at(at) = narrowed(static_cast<float>(x)); }

// Where two cells are, of which the first lies in an even place.
struct TwoOwn {
    int row;        // in y
    Stored* here;   // the population at rest of the first
    bool is_first;  // whether they begin a row
    bool is_last;   // whether they end it
};

// The thread's two cells of a region; there are none where the row lies behind its rows.
INLINE TwoOwn two_of_region(const Layout& layout, const Region& region, Stored* f) {
    const int k = region.first[1] + static_cast<int>(blockIdx.y);
    const uint32 in_row = static_cast<uint32>(layout.cells[0]) / 2, thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = region.first[0] + static_cast<int>(thread / in_row), i = 2 * static_cast<int>(thread % in_row);
    Stored* const here = f + (layout.first + layout.stride[1] * row + layout.stride[2] * k + i);
    return {row, here, i == 0, i + 2 == layout.cells[0]};
}

// The populations that arrive in them, in units of UNIT; all threads of a warp that have cells call it. What lies a place
// farther in x is not in one word: the next thread has the second half of it.
INLINE void take_two(const Reach& reach, const TwoOwn& own, Real (&low)[Q], Real (&high)[Q]) {
    const uint32 at_rest = word_at(own.here);
    low[0] = first_of(at_rest);
    high[0] = second_of(at_rest);
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) {
        Stored* const before = moved(own.here, reach.own + p * reach.pair);
        Stored* const next = moved(own.here, reach.next[p]);
        const uint32 shared = word_at(before);
        low[2 * p + 1] = first_of(shared);
        high[2 * p + 1] = second_of(shared);
        if (c(p, 0)) {
            if (own.is_first) low[2 * p + 1] = widened(half_at(moved(before, reach.more_at_first)));
            const uint32 word = word_at(next - 1), after = from_next_thread(word);
            low[2 * p + 2] = second_of(word);
            const bool is_apart = own.is_last || is_last_of_warp();
            high[2 * p + 2] = first_of(after);
            if (is_apart) high[2 * p + 2] = widened(half_at(moved(next + 1, own.is_last ? reach.more_at_last : 0)));
        } else {
            const uint32 word = word_at(next);
            low[2 * p + 2] = first_of(word);
            high[2 * p + 2] = second_of(word);
        }
    }
}

// Leaves their populations, which are given in units of UNIT.
INLINE void leave_two(const Reach& reach, const TwoOwn& own, const Real (&low)[Q], const Real (&high)[Q]) {
    put_word(own.here, low[0], high[0]);
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) {
        Stored* const before = moved(own.here, reach.own + p * reach.pair);
        Stored* const next = moved(own.here, reach.next[p]);
        if (c(p, 0)) {
            if (own.is_first) {
                put_half(moved(before, reach.more_at_first), low[2 * p + 2]);
                put_half(before + 1, high[2 * p + 2]);
            } else {
                put_word(before, low[2 * p + 2], high[2 * p + 2]);
            }
            const Real of_last = from_thread_before(high[2 * p + 1]);
            if (own.is_first || is_first_of_warp()) {
                put_half(next, low[2 * p + 1]);
            } else {
                put_word(next - 1, of_last, low[2 * p + 1]);
            }
            if (own.is_last || is_last_of_warp()) put_half(moved(next + 1, own.is_last ? reach.more_at_last : 0), high[2 * p + 1]);
        } else {
            put_word(before, low[2 * p + 2], high[2 * p + 2]);
            put_word(next, low[2 * p + 1], high[2 * p + 1]);
        }
    }
}
