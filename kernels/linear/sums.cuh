// Sums whose bits do not depend on the order of the addends; eq. (V16) of docs/src/theory/fvm.md.
// Twin of crates/linear/src/sums.rs.
#pragma once
#include "device.cuh"

// Bits of a window and of a digit, digits that are kept, most inner products at once.
constexpr int BITS = 30, DIGITS = 3, MOST_PAIRS = 3;
// The window of what is not finite: above all others.
constexpr int NOT_FINITE = 2047 / BITS + 1;
// Sums of digits for each window that is finite, and for what lies below the lowest.
constexpr int BINS = NOT_FINITE + DIGITS - 1;
// 1.5 2^52, and its bits.
constexpr Real ROUNDER = 6755399441055744.0;
constexpr int64 ROUNDER_BITS = 0x4338000000000000LL;
// Worth of a digit's unit in units of the one before.
constexpr Real FINE = 1.0 / (1 << BITS);

// What blocks find together: the highest window of each pair, then the sums of its digits, where the first
// is that of the third digit of the lowest window.
INLINE int64* bins_of(int64* partial_sums, int pair) {
    return partial_sums + MOST_PAIRS + pair * BINS;
}

// The window of a magnitude, from its bits.
INLINE int window_of(Bits magnitude) {
    const int exponent = static_cast<int>(magnitude >> 52);
    return exponent == 2047 ? NOT_FINITE : (exponent + 1) / BITS;
}

// The least magnitude, as bits, that lies above a window; nothing lies above what is not finite.
INLINE Bits beyond_window(int window) {
    if (window == NOT_FINITE) return 0x7fffffffffffffffLL;
    const int exponent = BITS * (window + 1) - 1;
    return static_cast<Bits>(exponent < 2047 ? exponent : 2047) << 52;
}

// The power of two that takes numbers of a window below 2^29; zero if the window is not finite.
INLINE Real scale_of(int window) {
    return window == NOT_FINITE ? Real(0) : real_of(static_cast<int64>(2046 - BITS * window) << 52);
}

// Sums of the digits of what a thread adds up, for a window that follows the largest addend. Without
// sign, so that what is thrown away may overflow.
struct Sum {
    int window;
    Bits beyond;
    Real scale;
    uint64 digits[DIGITS];
};

// A sum of nothing.
INLINE Sum no_sum() { return {0, beyond_window(0), scale_of(0), {0, 0, 0}}; }

// Goes on to a window that is not lower.
INLINE void move_to(Sum& sum, int window) {
    if (window == sum.window) return;
    const int up = window - sum.window;
    sum.digits[2] = up == 1 ? sum.digits[1] : up == 2 ? sum.digits[0] : 0;
    sum.digits[1] = up == 1 ? sum.digits[0] : 0;
    sum.digits[0] = 0;
    sum.window = window;
    sum.beyond = beyond_window(window);
    sum.scale = scale_of(window);
}

// Adds a number.
INLINE void add(Sum& sum, Real value) {
    if (bits_of(value) >= sum.beyond) move_to(sum, window_of(bits_of(value)));
    Real rest = value * sum.scale;
#pragma unroll
    for (int n = 0; n < DIGITS; ++n) {
        const Real shifted = rest + ROUNDER;
        rest = (rest - (shifted - ROUNDER)) * Real(1 << BITS);
        sum.digits[n] += static_cast<uint64>(__double_as_longlong(shifted) - ROUNDER_BITS);
    }
}

// Makes the lower of two digits at most half a unit of the upper one.
INLINE void carry(int64& upper, int64& lower) {
    const int64 over = (lower + (1LL << (BITS - 1))) >> BITS;
    upper += over;
    lower -= over * (1LL << BITS);
}

// The sum as a number; not a number if an addend is not finite.
INLINE Real value_of(int window, int64 first, int64 second, int64 third) {
    if (window == NOT_FINITE) return real_of(0x7ff8000000000000LL);
    carry(second, third);
    carry(first, second);
    const Real below =
        (static_cast<Real>(second) + static_cast<Real>(third) * FINE) * FINE;
    return (static_cast<Real>(first) + below) / scale_of(window);
}
