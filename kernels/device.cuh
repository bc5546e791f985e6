// What every kernel may use beyond arithmetic. On a GPU these are CUDA's own words; compiled for the
// processor (crate kernels-on-host) a shim gives them the same meaning, one thread after the other.
//
// A kernel is written `KERNEL name(...)`. REAL (float or double) and a method's own constants are
// given by the compilation's options; so is STORED (float, double or half16), if it is not REAL.
#pragma once

#ifdef __CUDACC__
#define KERNEL extern "C" __global__ void
// KERNEL FULL_BLOCK name(...): one block of at most so many threads runs on a multiprocessor, and may
// use all its registers.
#define FULL_BLOCK __launch_bounds__(512, 1)
// KERNEL HALF_BLOCK name(...): two blocks of at most so many threads share a multiprocessor.
#define HALF_BLOCK __launch_bounds__(512, 2)
// KERNEL SMALL_BLOCK name(...): blocks of at most so many threads, each with many registers for what it loads at once.
#define SMALL_BLOCK __launch_bounds__(128, DIRECTIONS == 2 ? 4 : 2)
// KERNEL MARCHING_BLOCK name(...): one block of at most so many threads runs on a multiprocessor.
#define MARCHING_BLOCK __launch_bounds__(sizeof(REAL) == 4 ? 384 : 320, 1)
// KERNEL PAIR_BLOCK name(...): blocks of at most so many threads, each with the registers of two cells.
#define PAIR_BLOCK __launch_bounds__(64, sizeof(REAL) == 4 ? 8 : 4)
#define INLINE __device__ __forceinline__
#define APART __device__ __noinline__  // a function with registers of its own
extern __shared__ __align__(16) unsigned char shared_memory[];
#define SHARED(type, name) type* name = reinterpret_cast<type*>(shared_memory)
typedef unsigned int uint32;
typedef long long int64;
typedef unsigned long long uint64;
// The number whose IEEE half has these bits; exact.
INLINE float float_of_half(unsigned short bits) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
}
// The bits of the nearest IEEE half, to even between two; infinity from 65520 on.
INLINE unsigned short half_of_float(float x) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
}
// The same of two, the second in the higher bits.
INLINE uint32 halves_of_floats(float low, float high) {
    uint32 bits;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
    return bits;
}
#else
#include "host.h"
INLINE uint32 halves_of_floats(float low, float high) {
    return half_of_float(low) | static_cast<uint32>(half_of_float(high)) << 16;
}
#define FULL_BLOCK
#define HALF_BLOCK
#define SMALL_BLOCK
#define MARCHING_BLOCK
#define PAIR_BLOCK
#define APART static
INLINE void opaque(uint32&) {}
INLINE void at_once(float&) {}
INLINE void at_once(double&) {}
INLINE void at_once(int64&) {}
INLINE bool whole_warp(bool x) { return x; }
INLINE int team_of(int) { return blockDim.x * blockDim.y * blockDim.z; }
INLINE void meet(int, int) { __syncthreads(); }
constexpr bool LANES_MEET = false;
INLINE bool is_first_of_warp() { return true; }
INLINE bool is_last_of_warp() { return true; }
template <class T> INLINE T from_next_thread(T x) { return x; }
template <class T> INLINE T from_thread_before(T x) { return x; }
INLINE void add_up(int64* slot, int64 x) {
    host::count_together();
    atomicAdd(slot, x);
}
#endif

// An IEEE half: storage of 16 bits for arithmetic with float.
struct half16 {
    unsigned short bits;
};
static_assert(sizeof(half16) == 2, "as u16 in Rust");

#ifndef STORED
#define STORED REAL
#endif
typedef REAL Real;
typedef STORED Stored;
static_assert(sizeof(Stored) != sizeof(half16) || sizeof(Real) == 4, "half16 is for float");

// A stored number to calculate with: `const Real x = widened(stored[i])`.
INLINE float widened(float x) { return x; }
INLINE double widened(double x) { return x; }
INLINE float widened(half16 x) { return float_of_half(x.bits); }
INLINE half16 narrowed(float x) {
    const half16 y = {half_of_float(x)};
    return y;
}
// A number to store: `stored[i] = narrowed_to<Stored>(x)`.
template <class T> INLINE T narrowed_to(Real x) { return static_cast<T>(x); }
template <> INLINE half16 narrowed_to<half16>(Real x) { return narrowed(static_cast<float>(x)); }

// Bit patterns of magnitudes order like the numbers, with infinity and then not-a-number on top;
// twin of Real::max_magnitude.
template <class T> struct Magnitude;
template <> struct Magnitude<float> { typedef int Bits; };
template <> struct Magnitude<double> { typedef int64 Bits; };
typedef Magnitude<Real>::Bits Bits;

INLINE int bits_of(float x) { return __float_as_int(x) & 0x7fffffff; }
INLINE int64 bits_of(double x) { return __double_as_longlong(x) & 0x7fffffffffffffffLL; }
INLINE float real_of(int bits) { return __int_as_float(bits); }
INLINE double real_of(int64 bits) { return __longlong_as_double(bits); }
INLINE Bits larger(Bits a, Bits b) { return a > b ? a : b; }

#ifdef __CUDACC__
// The largest of a warp's values, in all its threads.
INLINE int warp_largest(int x) { return __reduce_max_sync(0xffffffffu, x); }
INLINE int64 warp_largest(int64 x) {
    for (int step = 16; step > 0; step /= 2) x = max(x, __shfl_xor_sync(0xffffffffu, x, step));
    return x;
}
// Keeps the compiler from working out ahead, and storing away, what follows from x.
INLINE void opaque(uint32& x) { asm volatile("" : "+r"(x)); }
// Keeps the compiler from loading a number only where it turns out to be needed.
INLINE void at_once(float& x) { asm volatile("" : "+f"(x)); }
INLINE void at_once(double& x) { asm volatile("" : "+d"(x)); }
INLINE void at_once(int64& x) { asm volatile("" : "+l"(x)); }
// Whether all threads of the warp say so; on the host each thread is alone.
INLINE bool whole_warp(bool x) { return __all_sync(0xffffffffu, x); }
// So many first threads of the block, and those that share a warp with the last of them; on the host all of the block.
INLINE int team_of(int threads) {
    return min((threads + 31) / 32 * 32, static_cast<int>(blockDim.x * blockDim.y * blockDim.z));
}
// Waits for a team, at a barrier of its own, 1 to 15: different teams may wait at the same time.
INLINE void meet(int barrier, int team) { asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(team) : "memory"); }
// What the neighbour in the warp has, all of whose threads call it; the last and the first thread have none. On the host each
// thread is both: there lanes do not meet.
constexpr bool LANES_MEET = true;
INLINE bool is_first_of_warp() { return threadIdx.x % 32 == 0; }
INLINE bool is_last_of_warp() { return threadIdx.x % 32 == 31; }
template <class T> INLINE T from_next_thread(T x) { return __shfl_down_sync(0xffffffffu, x, 1); }
template <class T> INLINE T from_thread_before(T x) { return __shfl_up_sync(0xffffffffu, x, 1); }
// Raises *slot to the largest of all threads' values; every thread of the block calls it.
INLINE void block_max(Bits* slot, Bits x) {
    x = warp_largest(x);
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (thread % 32 == 0 && x > 0) atomicMax(slot, x);
}
// Adds all threads' values to *slot; every thread of the block calls it.
INLINE void add_up(int64* slot, int64 x) {
    for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffffu, x, step);
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (thread % 32 == 0 && x != 0) {
        atomicAdd(reinterpret_cast<uint64*>(slot), static_cast<uint64>(x));
    }
}
// Reads what another block wrote in this launch: past the first-level cache, which does not see it.
template <class T> INLINE T fresh(const T* at) { return __ldcg(at); }
// Everything that this block wrote before is seen by the blocks that await the flag; one thread calls it,
// after a barrier of the block.
INLINE void publish(uint32* flag, uint32 stamp) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(stamp) : "memory");
}
// Counts one more block as arrived, with all that it wrote before; one thread calls it, after a
// barrier of the block.
INLINE void arrive(uint32* count) {
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(count) : "memory");
}
// Waits until a flag or a count has reached a stamp.
INLINE void await(const uint32* flag, uint32 stamp) {
    uint32 seen;
    do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    } while (static_cast<int>(seen - stamp) < 0);
}
// As `publish`, for a flag in another device's memory: those that await it there see all that this
// block wrote to that memory before; one thread calls it, after a barrier of the block.
INLINE void publish_afar(uint32* flag, uint32 stamp) {
    asm volatile("fence.acq_rel.sys;" ::: "memory");
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(flag), "r"(stamp) : "memory");
}
// Nanoseconds since some time.
INLINE uint64 nanoseconds() {
    uint64 now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}
// Waits until another device has set a flag in this one's memory; gives up, and with it the whole
// program of the device, if that takes longer than any work of a neighbour.
INLINE void await_afar(const uint32* flag, uint32 stamp) {
    const uint64 begin = nanoseconds();
    uint32 seen;
    do {
        asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        if (nanoseconds() - begin > 120000000000ULL) asm volatile("trap;");
    } while (static_cast<int>(seen - stamp) < 0);
}
#endif

// Keeps it so for all numbers of an array.
template <class T, int N> INLINE void at_once(T (&numbers)[N]) {
#pragma unroll
    for (int n = 0; n < N; ++n) at_once(numbers[n]);
}

// How many times there are so many in a number of some thousand; a division of integers takes longer.
INLINE int times_in(int number, float one_over) { return static_cast<int>((number + 0.5f) * one_over); }

// Raises a slot to the largest of all threads' values; every thread of the block calls it. First
// within the block: all blocks meet at the slot and stand in line there, so there should be few of
// them, and none with nothing to say. Shared memory: one number.
INLINE void note_largest(Bits* slot, Bits most) {
    SHARED(Bits, shared);
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (thread == 0) shared[0] = 0;
    __syncthreads();
    block_max(shared, most);
    __syncthreads();
    if (thread == 0 && shared[0] > fresh(slot)) atomicMax(slot, shared[0]);
}
