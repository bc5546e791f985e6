// The collision that the kernels are compiled for; eqs. (L4) to (L12) of docs/src/theory/lbm.md.
#pragma once
#include "lbm/mrt.cuh"

// COLLISION is one of these.
enum Collisions { srt, trt, mrt, regularised };

INLINE void collide(Real (&h)[Q], const Rates& rates, Real unit = Real(1)) {
    if (COLLISION == srt) collide_srt(h, rates, unit);
    if (COLLISION == trt) collide_trt(h, rates, unit);
    if (COLLISION == mrt) collide_mrt(h, rates, unit);
    if (COLLISION == regularised) collide_regularised(h, rates, unit);
}
