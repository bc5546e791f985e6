/* The yardstick: red-black SOR as one writes it in C, on one array with ghost cells, red and black
 * cells side by side. Compiled with -O3 -march=native; same arithmetic as crates/fdm/src/stencil.rs. */
#include <stddef.h>

#define SWEEP(T, NAME)                                                                             \
    void NAME(T *restrict p, const T *restrict b, const T *restrict d, const long n[3],            \
              const T a[3], T omega, int iterations) {                                             \
        const long sy = n[0] + 2, sz = sy * (n[1] + 2);                                            \
        const T keep = 1 - omega;                                                                  \
        const int plane = n[2] == 1;                                                               \
        for (int half = 0; half < 2 * iterations; ++half)                                          \
            for (long k = 0; k < n[2]; ++k)                                                        \
                for (long j = 0; j < n[1]; ++j) {                                                  \
                    const long row = (plane ? 0 : k + 1) * sz + (j + 1) * sy + 1;                  \
                    const long first = (half + j + k) & 1;                                         \
                    if (plane)                                                                     \
                        for (long i = row + first; i < row + n[0]; i += 2)                         \
                            p[i] = keep * p[i] + omega * (d[i] * (a[0] * (p[i - 1] + p[i + 1]) +   \
                                   a[1] * (p[i - sy] + p[i + sy]) - b[i]));                        \
                    else                                                                           \
                        for (long i = row + first; i < row + n[0]; i += 2)                         \
                            p[i] = keep * p[i] + omega * (d[i] * (a[0] * (p[i - 1] + p[i + 1]) +   \
                                   a[1] * (p[i - sy] + p[i + sy]) +                                \
                                   a[2] * (p[i - sz] + p[i + sz]) - b[i]));                        \
                }                                                                                  \
    }

SWEEP(float, sor_f32)
SWEEP(double, sor_f64)
