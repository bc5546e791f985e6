// CUDA's words for a processor: what kernels/device.cuh leaves to the compiler of a GPU. The threads
// of a block are fibers of one thread of the processor (launch.cpp), so everything that is atomic or
// fresh on a GPU is so by itself here.
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned int uint32;
typedef long long int64;
typedef unsigned long long uint64;

struct uint3 {
    unsigned int x, y, z;
};
struct dim3 {
    unsigned int x = 1, y = 1, z = 1;
};

// Set whenever a fiber goes on. `__thread`, because `thread_local` would ask for a function call.
extern __thread uint3 threadIdx, blockIdx;
extern __thread dim3 blockDim, gridDim;

namespace host {
// The block's shared memory.
extern __thread unsigned char* shared_memory;
// Waits for all threads of the block; returns how many of them came with `true`.
unsigned int barrier(bool condition);
// Lets others go on until the flag has reached the stamp.
void wait(const volatile uint32* flag, uint32 stamp);
// Waits until another device, a thread of its own, has set the flag.
void wait_afar(const uint32* flag, uint32 stamp);
// Notes that one more thread of the block called `block_max` or `add_up`.
void count_together();
} // namespace host

// The kernels of one variant stand in a namespace without a name, see build.rs.
#define KERNEL static void
#define INLINE inline
#define SHARED(type, name) type* name = reinterpret_cast<type*>(host::shared_memory)
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

inline void __syncthreads() { host::barrier(false); }
inline int __syncthreads_count(int condition) { return (int)host::barrier(condition != 0); }
inline int __syncthreads_or(int condition) { return host::barrier(condition != 0) > 0; }
inline int __syncthreads_and(int condition) { return host::barrier(condition == 0) == 0; }

template <class T> inline T fresh(const T* at) { return *const_cast<const volatile T*>(at); }
inline void publish(uint32* flag, uint32 stamp) { *const_cast<volatile uint32*>(flag) = stamp; }
inline void arrive(uint32* count) {
    volatile uint32* at = count;
    *at = *at + 1;
}
inline void await(const uint32* flag, uint32 stamp) {
    const volatile uint32* at = flag;
    if (static_cast<int>(*at - stamp) < 0) host::wait(at, stamp);
}

inline void publish_afar(uint32* flag, uint32 stamp) { __atomic_store_n(flag, stamp, __ATOMIC_RELEASE); }
inline void await_afar(const uint32* flag, uint32 stamp) { host::wait_afar(flag, stamp); }

template <class T> inline T __ldg(const T* at) { return *at; }
template <class T> inline T __ldcg(const T* at) { return fresh(at); }

namespace host {
// The same bits as another type.
template <class To, class From> inline To same_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "types of one size");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
} // namespace host
inline int __float_as_int(float x) { return host::same_bits<int>(x); }
inline unsigned int __float_as_uint(float x) { return host::same_bits<unsigned int>(x); }
inline float __int_as_float(int x) { return host::same_bits<float>(x); }
inline float __uint_as_float(unsigned int x) { return host::same_bits<float>(x); }
inline long long __double_as_longlong(double x) { return host::same_bits<long long>(x); }
inline double __longlong_as_double(long long x) { return host::same_bits<double>(x); }

// The number whose IEEE half has these bits; exact. Not-a-number stays so, quiet.
inline float float_of_half(unsigned short bits) {
    const unsigned int sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
    if (magnitude > 0x7c00u) return __uint_as_float(sign | 0x7fc00000u | magnitude << 13);
    if (magnitude == 0x7c00u) return __uint_as_float(sign | 0x7f800000u);
    // In the places of a float the exponent, also a subnormal's, is 112 too small.
    const float x = __uint_as_float(magnitude << 13) * 0x1p112f;
    return __uint_as_float(sign | __float_as_uint(x));
}
// The bits of the nearest IEEE half, to even between two; infinity from 65520 on.
inline unsigned short half_of_float(float x) {
    const unsigned int sign = __float_as_uint(x) >> 16 & 0x8000u;
    const unsigned int magnitude = __float_as_uint(x) & 0x7fffffffu;
    unsigned int half;
    if (magnitude > 0x7f800000u) {
        half = 0x7e00u | (magnitude >> 13 & 0x3ffu);
    } else if (magnitude >= 0x47800000u) {
        half = 0x7c00u;  // 65536 and more
    } else if (magnitude < 0x38800000u) {
        // Below 2^-14 halves are multiples of 2^-24, as are floats that are a little above 1/2.
        half = __float_as_uint(__uint_as_float(magnitude) + 0.5f) - 0x3f000000u;
    } else {
        // 13 of the digits are left out; a carry goes into the exponent, up to infinity.
        half = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
    }
    return static_cast<unsigned short>(sign | half);
}

// The overloads that CUDA has and no others, so that a call which is ambiguous there is so here.
#define HOST_LESSER_AND_GREATER(result, left, right)                                               \
    inline result min(left a, right b) {                                                           \
        const result x = static_cast<result>(a), y = static_cast<result>(b);                       \
        return y < x ? y : x;                                                                      \
    }                                                                                              \
    inline result max(left a, right b) {                                                           \
        const result x = static_cast<result>(a), y = static_cast<result>(b);                       \
        return x < y ? y : x;                                                                      \
    }
#define HOST_LESSER_AND_GREATER_WITH_SIGN(whole)                                                   \
    HOST_LESSER_AND_GREATER(whole, whole, whole)                                                   \
    HOST_LESSER_AND_GREATER(unsigned whole, unsigned whole, unsigned whole)                        \
    HOST_LESSER_AND_GREATER(unsigned whole, whole, unsigned whole)                                 \
    HOST_LESSER_AND_GREATER(unsigned whole, unsigned whole, whole)
HOST_LESSER_AND_GREATER_WITH_SIGN(int)
HOST_LESSER_AND_GREATER_WITH_SIGN(long)
HOST_LESSER_AND_GREATER_WITH_SIGN(long long)
#undef HOST_LESSER_AND_GREATER_WITH_SIGN
#undef HOST_LESSER_AND_GREATER
inline float min(float a, float b) { return fminf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double min(float a, double b) { return fmin(static_cast<double>(a), b); }
inline double min(double a, float b) { return fmin(a, static_cast<double>(b)); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double max(float a, double b) { return fmax(static_cast<double>(a), b); }
inline double max(double a, float b) { return fmax(a, static_cast<double>(b)); }

// Atomic operations return what was there before. Sums wrap around, as on a GPU.
#define HOST_ATOMIC(type, unsigned_type)                                                           \
    inline type atomicMax(type* at, type x) {                                                      \
        const type before = *at;                                                                   \
        *at = before < x ? x : before;                                                             \
        return before;                                                                             \
    }                                                                                              \
    inline type atomicAdd(type* at, type x) {                                                      \
        const type before = *at;                                                                   \
        *at = static_cast<type>(static_cast<unsigned_type>(before) +                               \
                                static_cast<unsigned_type>(x));                                    \
        return before;                                                                             \
    }                                                                                              \
    inline type atomicExch(type* at, type x) {                                                     \
        const type before = *at;                                                                   \
        *at = x;                                                                                   \
        return before;                                                                             \
    }
HOST_ATOMIC(int, unsigned int)
HOST_ATOMIC(unsigned int, unsigned int)
HOST_ATOMIC(long long, unsigned long long)
HOST_ATOMIC(unsigned long long, unsigned long long)
#undef HOST_ATOMIC

// Raises *slot to the largest of all threads' values; every thread of the block calls it.
#define HOST_BLOCK_MAX(type)                                                                           \
    inline void block_max(type* slot, type x) {                                                    \
        host::count_together();                                                                       \
        if (x > 0) atomicMax(slot, x);                                                             \
    }
HOST_BLOCK_MAX(int)
HOST_BLOCK_MAX(long long)
#undef HOST_BLOCK_MAX
