// The scalars of an iteration and what is computed from them: twin of crates/linear/src/scalars.rs and
// scalars/formulas.rs, with the same names and order of operations.
#pragma once
#include "device.cuh"

// A numbered place of a scalar; what each means is said in Rust.
enum class Scalar {
    Status, Iterations, Relative, Absolute, Target, Bb, Rr, RrStart, Zr, ZrOld, Pq, Alpha, Beta,
    Omega, Rho, RhoNext, HatV, Vv, HatHat, Ts, Tt, Ss, Restarts, Flag, Sum, Count, Mean
};

constexpr int SLOTS_OF_ITERATION = static_cast<int>(Scalar::Mean) + 1;

// What can be computed.
enum class Formula {
    Start, CgDirection, CgStep, CgBoth, Next, Look, BiStep, BiOmega, BiNext, Mean, Finish
};

constexpr Real RUNNING = 0, CONVERGED = 1, BREAKDOWN = 2;

// (r^, r) or (r^, v) below this part of the product of norms is rounding only.
constexpr Real ROUNDING = 1e-14;
// Least cosine between t and s with which omega is trusted.
constexpr Real LEAST_COSINE = 0.7;
// How often BiCGSTAB may begin anew.
constexpr Real MOST_RESTARTS = 3;

INLINE bool is_finite(Real x) { return bits_of(x) < 0x7ff0000000000000LL; }

// A scalar, for kernels that only read.
INLINE Real scalar_of(const Real* slots, int slot) { return slots[slot]; }
INLINE Real scalar_of(const Real* slots, Scalar slot) { return slots[static_cast<int>(slot)]; }

// Whether the iteration goes on; otherwise a kernel changes nothing.
INLINE bool is_running(const Real* slots) { return scalar_of(slots, Scalar::Status) == RUNNING; }

// All scalars of an iteration; one thread works on them.
struct Slots {
    Real* values;

    INLINE Real& operator[](Scalar slot) { return values[static_cast<int>(slot)]; }
    INLINE bool is_running() { return (*this)[Scalar::Status] == RUNNING; }

    INLINE void end(Real status) {
        (*this)[Scalar::Status] = status;
        (*this)[Scalar::Flag] = Real(0);
    }

    INLINE void look() {
        const Real rr = (*this)[Scalar::Rr], target = (*this)[Scalar::Target];
        if (!(is_finite(rr) && is_finite(target))) {
            end(BREAKDOWN);
        } else if (sqrt(rr) <= target) {
            end(CONVERGED);
        }
    }

    INLINE void start() {
        (*this)[Scalar::Target] =
            (*this)[Scalar::Relative] * sqrt((*this)[Scalar::Bb]) + (*this)[Scalar::Absolute];
        (*this)[Scalar::RrStart] = (*this)[Scalar::Rr];
        (*this)[Scalar::Rho] = (*this)[Scalar::Rr];
        (*this)[Scalar::HatHat] = (*this)[Scalar::Rr];
        look();
    }

    INLINE void next() {
        (*this)[Scalar::Iterations] += Real(1);
        look();
    }

    // Products with positive definite matrices are, and quotients of them are finite.
    INLINE void must_be_positive(Real product, Real quotient) {
        if (!(product > Real(0) && is_finite(quotient))) end(BREAKDOWN);
    }

    INLINE void cg_direction() {
        const Real zr = (*this)[Scalar::Zr], old = (*this)[Scalar::ZrOld];
        (*this)[Scalar::Beta] = old == Real(0) ? Real(0) : zr / old;
        (*this)[Scalar::ZrOld] = zr;
        must_be_positive(zr, (*this)[Scalar::Beta]);
    }

    INLINE void cg_step() {
        (*this)[Scalar::Alpha] = (*this)[Scalar::Zr] / (*this)[Scalar::Pq];
        must_be_positive((*this)[Scalar::Pq], (*this)[Scalar::Alpha]);
    }

    INLINE void cg_both() {
        look();
        if (!is_running()) return;
        const Real zr = (*this)[Scalar::Zr], old = (*this)[Scalar::ZrOld];
        const Real alpha_old = (*this)[Scalar::Alpha];
        const bool first = old == Real(0);
        const Real beta = first ? Real(0) : zr / old;
        const Real shared = first ? Real(0) : beta * zr / alpha_old;
        const Real curvature = (*this)[Scalar::Pq] - shared;
        (*this)[Scalar::Beta] = beta;
        (*this)[Scalar::Alpha] = zr / curvature;
        (*this)[Scalar::ZrOld] = zr;
        must_be_positive(zr, beta);
        must_be_positive(curvature, (*this)[Scalar::Alpha]);
        if (is_running()) (*this)[Scalar::Iterations] += Real(1);
    }

    INLINE void bi_step() {
        const Real least = ROUNDING * sqrt((*this)[Scalar::HatHat] * (*this)[Scalar::Vv]);
        const Real product = (*this)[Scalar::HatV];
        // Without a step along the direction there is still one along the residual.
        const Real alpha = fabs(product) <= least ? Real(0) : (*this)[Scalar::Rho] / product;
        (*this)[Scalar::Alpha] = alpha;
        if (!(is_finite(alpha) && is_finite(least))) end(BREAKDOWN);
    }

    INLINE void bi_omega() {
        const Real ts = (*this)[Scalar::Ts], tt = (*this)[Scalar::Tt], ss = (*this)[Scalar::Ss];
        Real omega = tt == Real(0) ? Real(0) : ts / tt;
        const Real cosine = fabs(ts) / (sqrt(tt) * sqrt(ss));
        if (cosine > Real(0) && cosine < LEAST_COSINE) omega *= LEAST_COSINE / cosine;
        (*this)[Scalar::Omega] = omega;
        if (!(is_finite(omega) && is_finite(ss))) end(BREAKDOWN);
    }

    INLINE void bi_next() {
        (*this)[Scalar::Flag] = Real(0);
        next();
        if (!is_running()) return;
        const Real rr = (*this)[Scalar::Rr], after = (*this)[Scalar::RhoNext];
        const Real beta =
            (after / (*this)[Scalar::Rho]) * ((*this)[Scalar::Alpha] / (*this)[Scalar::Omega]);
        const Real least = ROUNDING * sqrt((*this)[Scalar::HatHat] * rr);
        if ((*this)[Scalar::Alpha] != Real(0) && fabs(after) > least && is_finite(beta)) {
            (*this)[Scalar::Beta] = beta;
            (*this)[Scalar::Rho] = after;
        } else if ((*this)[Scalar::Restarts] < MOST_RESTARTS) {
            (*this)[Scalar::Restarts] += Real(1);
            (*this)[Scalar::Beta] = Real(0);
            (*this)[Scalar::Rho] = rr;
            (*this)[Scalar::HatHat] = rr;
            (*this)[Scalar::Flag] = Real(1);
        } else {
            end(BREAKDOWN);
        }
    }

    INLINE void mean() {
        const bool empty = (*this)[Scalar::Count] == Real(0);
        (*this)[Scalar::Mean] = empty ? Real(0) : (*this)[Scalar::Sum] / (*this)[Scalar::Count];
    }

    INLINE void finish() {
        const Real rr = (*this)[Scalar::Rr], at_start = (*this)[Scalar::RrStart];
        const bool worse = !(rr == rr) || rr > at_start;
        (*this)[Scalar::Flag] = worse ? Real(1) : Real(0);
        if (worse) (*this)[Scalar::Rr] = at_start;
    }

    // Computes a formula; none but the last does anything once the iteration has ended.
    INLINE void evaluate(Formula formula) {
        if (formula == Formula::Finish) finish();
        if (!is_running()) return;
        switch (formula) {
            case Formula::Start: return start();
            case Formula::CgDirection: return cg_direction();
            case Formula::CgStep: return cg_step();
            case Formula::CgBoth: return cg_both();
            case Formula::Next: return next();
            case Formula::Look: return look();
            case Formula::BiStep: return bi_step();
            case Formula::BiOmega: return bi_omega();
            case Formula::BiNext: return bi_next();
            case Formula::Mean: return mean();
            case Formula::Finish: return;
        }
    }
};
