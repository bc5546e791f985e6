//! The kernels of vectors, scalars and levels, as they are compiled into the program.

use vortice_gpu::{Definition, Program, Source, sources};

vortice_gpu::kernels! {
    /// All of them.
    pub(crate) struct Kernels in "linear" {
        relax_level, residual_level, sum_residuals, restrict_level, prolong_level, prolong_and_relax,
        coarsen_level, coarsen_direction, take_ends, invert_level, coarsen_small_levels, small_levels,
        descend_level, ascend_level,
        begin_iteration, copy_cells, subtract_cells, add_multiple, multiply_and_add, multiply_cells,
        step_along, next_direction, advance_solution, inner_products, evaluate, add_up_ranks,
        apply_level, mark_constants,
    }
}

/// Their headers, which those of methods may include; see `device.cuh` for what comes first.
pub const HEADERS: &[Source] = sources![
    "device.cuh",
    "linear/kept_levels.cuh",
    "linear/layout.cuh",
    "linear/level.cuh",
    "linear/region.cuh",
    "linear/scalars.cuh",
    "linear/stencil.cuh",
    "linear/sums.cuh",
];

/// The program.
pub(crate) const PROGRAM: Program =
    Program { name: "linear", kernels: Kernels::SOURCES, headers: HEADERS };

/// The variant for 2 or 3 directions.
pub fn definitions(directions: usize) -> [Definition; 2] {
    [("REAL", "double".into()), ("DIRECTIONS", directions.to_string())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_compile_for_every_architecture_and_spill_nothing() {
        vortice_gpu::expect_sound(&PROGRAM, &[2, 3].map(definitions));
    }
}
