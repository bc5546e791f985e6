//! The kernels of this method, as they are compiled into the program.

use vortice_core::Real;
use vortice_gpu::{Definition, Program, real_name, sources};

vortice_gpu::kernels! {
    /// Launch after launch these make a time step.
    pub(crate) struct Kernels in "fdm" {
        predict, predict_adams_bashforth, predict_outlets, divergence, prescribe_pressures, relax,
        relax_and_measure, relax_tile, residual, squares, take_equation, put_pressure, project, project_outlets, fix, mirror,
        gather_sources, force_faces, remove_leaks, carry_out, balance_outlet, keep_outlet, carry_along,
        force_on_sides, predict_temperature, correct_temperature, predict_walled, correct_walled,
        fill_ends, add_buoyancy, add_asked, ask_for, restrict_velocity, restrict_pressure, prolong_velocity,
        prolong_outlets, largest_change, look_at_faces,
    }
}

/// The program.
pub(crate) const PROGRAM: Program = Program {
    name: "fdm",
    kernels: Kernels::SOURCES,
    headers: sources![
        "device.cuh",
        "children.cuh",
        "forces.cuh",
        "thermal_ends.cuh",
        "thermal_walls.cuh",
        "fdm/boundary.cuh",
        "fdm/coarser.cuh",
        "fdm/equation.cuh",
        "fdm/reductions.cuh",
        "fdm/interval.cuh",
        "fdm/layout.cuh",
        "fdm/predict.cuh",
        "fdm/stencil.cuh",
        "fdm/sweep.cuh",
        "fdm/temperature.cuh",
        "fdm/tile.cuh",
        "fdm/walled.cuh",
    ],
};

/// The variant for a number type and 2 or 3 directions.
pub(crate) fn definitions<T: Real>(directions: usize) -> [Definition; 2] {
    [("REAL", real_name::<T>().into()), ("DIRECTIONS", directions.to_string())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_compile_for_every_architecture_and_spill_nothing() {
        let of = |directions| [definitions::<f32>(directions), definitions::<f64>(directions)];
        vortice_gpu::expect_sound(&PROGRAM, &[2, 3].map(of).concat());
    }
}
