// Sends heat back from faces whose temperature is given, and counts what comes in through them; eqs. (H17) and (H18) of
// docs/src/theory/heat.md. Twin of `apply_boundaries` in crates/lbm/src/cpu/heat.rs and of crates/lbm/src/heat/came.rs.
//
// A row of blocks does a face y: places[begins[y]] up to places[begins[y + 1]] of warm, the populations of heat, of which none
// comes twice; sums[n] is what comes back and what left, together. came: low 32 bits and higher bits of what came in through
// the face numbered faces[y], in units of 2^-56 of a cell's heat, are added.
#include "lbm/population.cuh"
#include "lbm/units_of_heat.cuh"

KERNEL return_heat(const int64* places, const int64* begins, const Real* sums, const int* faces, Stored* warm,
                   int64* came) {
    const int face = blockIdx.y;
    const int64 n = begins[face] + blockIdx.x * blockDim.x + threadIdx.x;
    int64 units = 0;
    if (n < begins[face + 1]) {
        const int64 place = places[n];
        const Real left = number_of(warm[place]);
        const Stored back = population_of(sums[n] - left);
        warm[place] = back;
        units = units_of_heat(static_cast<double>(number_of(back)) - static_cast<double>(left));
    }
    int64* const of_face = came + 2 * faces[face];
    add_up(of_face, units & 0xffffffffLL);
    add_up(of_face + 1, units >> 32);
}
