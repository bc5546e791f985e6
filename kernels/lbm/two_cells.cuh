// Two cells beside each other in a row, whose populations are read and written as words of two. The places are those of
// layout.cuh.
#pragma once
#include "lbm/layout.cuh"

// What two cells have stored.
struct alignas(2 * sizeof(Stored)) Word {
    Stored low, high;
};
INLINE Word word_at(const Stored* at) { return *reinterpret_cast<const Word*>(at); }
INLINE Word word_of(Real low, Real high) { return {narrowed_to<Stored>(low), narrowed_to<Stored>(high)}; }
INLINE void put_word(Stored* at, Real low, Real high) {
    if (sizeof(Stored) == sizeof(half16)) {
        *reinterpret_cast<uint32*>(at) = halves_of_floats(static_cast<float>(low), static_cast<float>(high));
    } else {
        *reinterpret_cast<Word*>(at) = word_of(low, high);
    }
}

// Where two cells are, of which the first lies in an even place.
struct TwoOwn {
    int row;        // in y
    Stored* here;   // the population at rest of the first
    bool is_first;  // whether they begin a row
    bool is_last;   // whether they end it
    Stored* edge;   // if so, their place in a column
};

// The thread's two cells of a region; there are none where the row lies behind its rows.
INLINE TwoOwn two_of_region(const Layout& layout, const Region& region, Stored* f) {
    const int k = region.first[1] + static_cast<int>(blockIdx.y);
    const uint32 in_row = static_cast<uint32>(layout.cells[0]) / 2, thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = region.first[0] + static_cast<int>(thread / in_row), i = 2 * static_cast<int>(thread % in_row);
    Stored* const here = f + (layout.first + layout.stride[1] * row + layout.stride[2] * k + i);
    const bool is_first = i == 0, is_last = i + 2 == layout.cells[0];
    const Indices at = {i, row, k};
    Stored* edge = here;
    if (has_columns(layout)) edge = f + (is_last ? place_in_column(layout, 1, at) : place_in_column(layout, 0, at));
    return {row, here, is_first, is_last, edge};
}

// What the first cell of a row shares with the one before it along a pair that crosses x, and the second of two with the next one;
// in rows they lie `before` and `behind`.
INLINE Stored* first_of(const Layout& layout, const Reach& reach, const TwoOwn& own, int p, Stored* before) {
    if (has_columns(layout)) before = moved(own.edge, reach.own + p * reach.pair);
    return moved(before, reach.more_at_first);
}
INLINE Stored* second_of(const Layout& layout, const Reach& reach, const TwoOwn& own, int p, Stored* behind) {
    if (!has_columns(layout)) return own.is_last ? moved(behind, reach.more_at_last) : behind;
    int64 next = reach.next[p] + reach.more_in_column[p] + reach.more_at_last;
    at_once(next);
    return own.is_last ? moved(own.edge, next) : behind;
}

// The populations that arrive in them, in units of UNIT; all threads of a warp that have cells call it. What lies a place
// farther in x is not in one word: the next thread has the second half of it.
INLINE void take_two(const Layout& layout, const Reach& reach, const TwoOwn& own, Real (&low)[Q], Real (&high)[Q]) {
    const Word at_rest = word_at(own.here);
    low[0] = widened(at_rest.low);
    high[0] = widened(at_rest.high);
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) {
        Stored* const before = moved(own.here, reach.own + p * reach.pair);
        Stored* const next = moved(own.here, reach.next[p]);
        const Word shared = word_at(before);
        low[2 * p + 1] = widened(shared.low);
        high[2 * p + 1] = widened(shared.high);
        if (c(p, 0)) {
            if (own.is_first) low[2 * p + 1] = widened(*first_of(layout, reach, own, p, before));
            const Word word = word_at(next - 1);
            const Real after = from_next_thread(widened(word.low));
            low[2 * p + 2] = widened(word.high);
            const bool is_apart = own.is_last || is_last_of_warp();
            high[2 * p + 2] = after;
            if (is_apart) high[2 * p + 2] = widened(*second_of(layout, reach, own, p, next + 1));
        } else {
            const Word word = word_at(next);
            low[2 * p + 2] = widened(word.low);
            high[2 * p + 2] = widened(word.high);
        }
    }
}

// Leaves their populations, which are given in units of UNIT.
INLINE void leave_two(const Layout& layout, const Reach& reach, const TwoOwn& own, const Real (&low)[Q],
                      const Real (&high)[Q]) {
    put_word(own.here, low[0], high[0]);
#pragma unroll
    for (int p = 0; p < PAIRS; ++p) {
        Stored* const before = moved(own.here, reach.own + p * reach.pair);
        Stored* const next = moved(own.here, reach.next[p]);
        if (c(p, 0)) {
            if (own.is_first) {
                *first_of(layout, reach, own, p, before) = narrowed_to<Stored>(low[2 * p + 2]);
                before[1] = narrowed_to<Stored>(high[2 * p + 2]);
            } else {
                put_word(before, low[2 * p + 2], high[2 * p + 2]);
            }
            const Real of_last = from_thread_before(high[2 * p + 1]);
            if (own.is_first || is_first_of_warp()) {
                *next = narrowed_to<Stored>(low[2 * p + 1]);
            } else {
                put_word(next - 1, of_last, low[2 * p + 1]);
            }
            if (own.is_last || is_last_of_warp()) {
                *second_of(layout, reach, own, p, next + 1) = narrowed_to<Stored>(high[2 * p + 1]);
            }
        } else {
            put_word(before, low[2 * p + 2], high[2 * p + 2]);
            put_word(next, low[2 * p + 1], high[2 * p + 1]);
        }
    }
}
