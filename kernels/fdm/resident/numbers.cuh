// What the kernel resident is told, and what its threads share.
#pragma once
#include "fdm/resident/clock.cuh"
#include "fdm/tile.cuh"

// When pressure iterations stop; mirrored in crates/fdm/src/resident/numbers.rs.
struct Stopping {
    double tolerance;   // eq. (F13), times U2 for the change
    double omega;       // fixed, or the optimum of eq. (F7)
    int64 first_steps;  // steps with `first` iterations
    int rule;           // 0 iterations, 1 change, 2 residual
    int optimal;        // whether omega adapts
    int first, then;    // iterations of rule 0
    int test_every, most;
};
static_assert(sizeof(Stopping) == 48, "mirrored in Rust");

// What a launch does; mirrored in crates/fdm/src/resident/numbers.rs.
struct ResidentRun {
    Pace pace;
    Stopping stopping;
    double time;      // s
    double speed[2];  // m/s
    double force[2];  // m/s2
    int64 step;       // number of the last step done
    Tiling tiling;
    int steps;     // most steps to do
    int held;      // fields of a tile in shared memory
    int levels;    // of ghosts
    int adaptive;  // whether steps depend on the speed everywhere
};
static_assert(sizeof(ResidentRun) == 72 + 48 + 48 + 64, "mirrored in Rust");

// How many fields of a tile lie in shared memory: two, p and b, whose places u and v use before, with F
// and G in the device's memory; four, those too; or all six. A constant, if the compiler is told.
#ifdef HELD
INLINE int held_of(int) { return HELD; }
#else
INLINE int held_of(int given) { return given; }
#endif

// What all threads of a block share beside the fields; its size is known in crates/fdm/src/resident.
struct Board {
    Clock now;
    Bits most[4];  // largest |u|, |v|, change of the step
    Transport transport[2];
    Real dt, inverse[2], dt_h[2], inverse_h2[2], unused;
    Real inverse_diagonal[64];
    Place here;
};
static_assert(sizeof(Board) == 5 * sizeof(double) + 84 * sizeof(Real) + sizeof(Place), "known in Rust");

// A byte and two fields of each cell of a tile, behind the board in shared memory. The compiler knows what memory that
// is only where it sees how they are found.
struct Cells {
    unsigned char* kind;
    Real *p, *b;
};
INLINE Cells cells_of(Board* board, int count) {
    unsigned char* const kind = reinterpret_cast<unsigned char*>(board + 1);
    Real* const p = reinterpret_cast<Real*>(kind + (count + 7) / 8 * 8);
    return {kind, p, p + count};
}

// The numbers of the next step; one thread does it while the others load.
INLINE void begin_step(Board* board, const ResidentRun& run) {
    const double dt_before = board->now.dt;
    choose_step(board->now, run.pace);
    const double dt = board->now.dt;
    board->transport[0].gamma = board->transport[1].gamma = Real(board->now.gamma);
    if (dt == dt_before) return;  // divisions take longer than the loads
    board->dt = Real(dt);
    for (int d = 0; d < 2; ++d) {
        const double h = run.pace.spacing[d];
        board->inverse[d] = Real(1.0 / (h * dt));
        board->dt_h[d] = Real(dt / h);
    }
}

// The numbers that never change.
INLINE void begin_launch(Board* board, const ResidentRun& run, const Real* inverse_diagonals) {
    if (threadIdx.x < 64) board->inverse_diagonal[threadIdx.x] = inverse_diagonals[threadIdx.x];
    if (threadIdx.x < 4) board->most[threadIdx.x] = 0;
    if (threadIdx.x != 0) return;
    board->here = place_of(run.tiling, blockIdx.x);
    board->now = {run.time, {run.speed[0], run.speed[1]}, 0.0, 0.0};
    for (int d = 0; d < 2; ++d) {
        const double h = run.pace.spacing[d];
        board->inverse_h2[d] = Real(1.0 / (h * h));
        board->transport[d] = {Real(run.pace.viscosity / (h * h)), Real(1.0 / h), Real(0),
                               Real(0.5)};
    }
}

// Twins of relaxation.rs.
INLINE double settling_in(const Stopping& rule, int count) {
    return rule.optimal ? fmin(rule.omega, fmax(2.0 - 2.0 / static_cast<double>(count), 1.0))
                        : rule.omega;
}
INLINE int settling_time(const Stopping& rule) {
    return static_cast<int>(ceil(2.0 / (2.0 - rule.omega)));
}

INLINE double number(Bits bits) { return static_cast<double>(real_of(bits)); }
