// Sends heat back from solid boxes and bodies, and counts what comes in through them; eqs. (H24), (H25) of
// docs/src/theory/heat.md. Twin of `release_scalar` in crates/lbm/src/interpolated.rs and of crates/lbm/src/heat/came.rs.
//
// A row of blocks does a surface y: the links begins[y] up to begins[y + 1], whose places in warm, the populations of heat,
// are towards[n], back[n], behind[n] and away[n] in steps of parity 0; in steps of parity 1 the first two and the last two
// change places. A thread reads all but the second and writes the first two, which no other thread reads or writes. came:
// low 32 bits and higher bits of what came in through the surface numbered surfaces[y], in units of 2^-56 of a cell's heat,
// are added.
#include "lbm/interpolated.cuh"
#include "lbm/population.cuh"
#include "lbm/units_of_heat.cuh"

KERNEL return_from_solids(const int parity, const int64* begins, const int* surfaces, const int64* towards,
                          const int64* back, const int64* behind, const int64* away, const Real* of_towards,
                          const Real* of_behind, const Real* of_away, const Real* terms, Stored* warm, int64* came) {
    const int surface = blockIdx.y;
    const int64 n = begins[surface] + blockIdx.x * blockDim.x + threadIdx.x;
    int64 units = 0;
    if (n < begins[surface + 1]) {
        const int64 to_wall = parity == 0 ? towards[n] : back[n];
        const int64 from_wall = parity == 0 ? back[n] : towards[n];
        const int64 to_cell = parity == 0 ? behind[n] : away[n];
        const int64 from_cell = parity == 0 ? away[n] : behind[n];
        const Real left = number_of(warm[to_wall]);
        const Stored stored =
            population_of(back_from_body(left, number_of(warm[to_cell]), number_of(warm[from_cell]),
                                                 of_towards[n], of_behind[n], of_away[n], terms[n]));
        warm[from_wall] = stored;
        warm[to_wall] = population_of(Real(0));
        units = units_of_heat(static_cast<double>(number_of(stored)) - static_cast<double>(left));
    }
    int64* const of_surface = came + 2 * surfaces[surface];
    add_up(of_surface, units & 0xffffffffLL);
    add_up(of_surface + 1, units >> 32);
}
