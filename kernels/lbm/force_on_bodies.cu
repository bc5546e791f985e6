// What surfaces feel of the populations that they send back; eq. (L14d) of docs/src/theory/lbm.md. Twin of
// crates/lbm/src/forces.rs.
//
// f: populations less their weights, before a step of this parity. unit: N (of a plane flow N/m) of a population that is
// one. The rest as in forces.cuh.
#include "forces.cuh"
#include "lbm/population.cuh"

// A link from a cell of the flow that a surface meets; mirrored in crates/lbm/src/forces.rs.
struct ForceLink {
    int64 back[2];      // place of what comes back, before steps of parity 0 and 1
    int64 partner[2];   // place of the other population that it is made of
    int64 third[2];     // place of a third
    double of_towards;  // share of it that is what left towards the wall
    double of_third;    // share of it that is the third
    double add;         // what the wall's velocity adds
    double c[3];        // the lattice's velocity towards the wall
    double arm[2];      // of the torque in m
};
static_assert(sizeof(ForceLink) == 14 * 8, "mirrored in Rust");

// What left the cell towards the wall, from what comes back.
INLINE double towards_wall(const ForceLink& link, double back, double partner, double third) {
    const double beyond = link.add + link.of_third * (third - partner);
    if (link.of_towards == 1.0) return back - beyond;
    return partner + (back - partner - beyond) / link.of_towards;
}

KERNEL force_on_bodies(const int64* first, const double* units, const ForceLink* parts, int64* sums, const int parity,
                       const double unit, const Stored* f) {
    ForceSum sum = no_force();
    const int surface = surface_of_block();
    for (int64 n = first_part(first); n < first[surface + 1]; n += parts_at_once()) {
        const ForceLink link = parts[n];
        const int64 back_at = parity == 0 ? link.back[0] : link.back[1];
        const int64 partner_at = parity == 0 ? link.partner[0] : link.partner[1];
        const int64 third_at = parity == 0 ? link.third[0] : link.third[1];
        const double back = static_cast<double>(number_of(f[back_at]));
        const double partner = static_cast<double>(number_of(f[partner_at]));
        const double third = static_cast<double>(number_of(f[third_at]));
        const double towards = towards_wall(link, back, partner, third);
        double force[3];
#pragma unroll
        for (int d = 0; d < 3; ++d) force[d] = unit * link.c[d] * (towards + back);
        add_force(sum, force, torque_of(link.arm, force), units + 2 * surface);
    }
    add_up(sum, sums + FORCE_SUMS * surface);
}
