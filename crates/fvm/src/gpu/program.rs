//! The kernels of this method, as they are compiled into the program.

use vortice_gpu::{Program, Source, sources};
use vortice_linear::gpu::HEADERS;

vortice_gpu::kernels! {
    /// One for each `.cu` of `kernels/fvm`.
    pub(crate) struct Kernels in "fvm" {
        copy_ghosts, put_velocities, assemble, relax_momentum, interpolate, correct, change, momentum_residual,
        apply_momentum, add_correction, complete_beside_bodies, interpolate_body_faces, close_bodies,
        carry_through, balance_through, force_on_faces, assemble_temperature, relax_temperature, lift_cells,
        sweep_regions, restrict_flow, ask_in_cells, ask_on_faces, prolong_flow, move_faces,
        look_at_cells, assemble_walled, halve_rows, join_rows, fill_thermal_ends, warming,
    }
}

const OWN_HEADERS: [Source; 13] = *sources![
    "forces.cuh",
    "thermal_ends.cuh",
    "thermal_walls.cuh",
    "fvm/body_face.cuh",
    "fvm/carried_face.cuh",
    "children.cuh",
    "fvm/coarser.cuh",
    "fvm/field.cuh",
    "fvm/fluid.cuh",
    "fvm/heat.cuh",
    "fvm/reductions.cuh",
    "fvm/stencil.cuh",
    "fvm/thermal_balance.cuh"
];

/// The program.
pub(crate) const PROGRAM: Program = Program {
    name: "fvm",
    kernels: Kernels::SOURCES,
    headers: &vortice_gpu::joined::<{ HEADERS.len() + OWN_HEADERS.len() }>(HEADERS, &OWN_HEADERS),
};

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_linear::gpu::definitions;

    #[test]
    fn kernels_compile_for_every_architecture_and_spill_nothing() {
        vortice_gpu::expect_sound(&PROGRAM, &[2, 3].map(definitions));
    }
}
