//! The kernels of this method, as they are compiled into the program.

use vortice_gpu::{Definition, HALO_HEADERS, HALO_KERNELS, Program};

macro_rules! sources {
    ($($more:expr,)* ; $($file:literal,)*) => {
        &[$(($file, include_str!(concat!("../../../../kernels/", $file))),)* $($more,)*]
    };
}

/// All kernels of the method.
pub(crate) const PROGRAM: Program = Program {
    name: "fvm",
    kernels: sources![
        HALO_KERNELS[0],
        HALO_KERNELS[1],
        HALO_KERNELS[2],
        HALO_KERNELS[3],
        HALO_KERNELS[4],
        HALO_KERNELS[5],
        ;
        "fvm/copy_ghosts.cu",
        "fvm/assemble.cu",
        "fvm/relax_momentum.cu",
        "fvm/interpolate.cu",
        "fvm/correct.cu",
        "fvm/change.cu",
        "fvm/find_missing.cu",
        "fvm/apply_momentum.cu",
        "fvm/add_change.cu",
        "linear/relax_level.cu",
        "linear/residual_level.cu",
        "linear/sum_residuals.cu",
        "linear/restrict_level.cu",
        "linear/prolong_level.cu",
        "linear/prolong_and_relax.cu",
        "linear/coarsen_level.cu",
        "linear/coarsen_direction.cu",
        "linear/take_ends.cu",
        "linear/invert_level.cu",
        "linear/coarsen_small_levels.cu",
        "linear/small_levels.cu",
        "linear/begin_iteration.cu",
        "linear/copy_cells.cu",
        "linear/subtract_cells.cu",
        "linear/add_multiple.cu",
        "linear/multiply_and_add.cu",
        "linear/multiply_cells.cu",
        "linear/step_along.cu",
        "linear/next_direction.cu",
        "linear/advance_solution.cu",
        "linear/inner_products.cu",
        "linear/evaluate.cu",
        "linear/add_up_ranks.cu",
        "linear/apply_level.cu",
        "linear/mark_constants.cu",
    ],
    headers: sources![
        HALO_HEADERS[0],
        HALO_HEADERS[1],
        ;
        "device.cuh",
        "fvm/field.cuh",
        "fvm/fluid.cuh",
        "fvm/found.cuh",
        "fvm/stencil.cuh",
        "linear/layout.cuh",
        "linear/level.cuh",
        "linear/scalars.cuh",
        "linear/stencil.cuh",
        "linear/sums.cuh",
    ],
};

/// The variant for 2 or 3 directions.
pub(crate) fn definitions(directions: usize) -> [Definition; 2] {
    [("REAL", "double".into()), ("DIRECTIONS", directions.to_string())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_gpu::{compile, resources};

    #[test]
    fn every_variant_compiles_for_every_architecture() {
        for directions in [2, 3] {
            for architecture in [[8, 0], [9, 0], [10, 0]] {
                let compiled = compile(&PROGRAM, &definitions(directions), architecture, false);
                let code = compiled.unwrap_or_else(|error| {
                    panic!("{directions} {architecture:?}: {error}; {}", error.remedy())
                });
                assert!(!code.is_empty());
            }
        }
    }

    #[test]
    fn no_kernel_spills_registers() {
        for directions in [2, 3] {
            let words =
                resources(&PROGRAM, &definitions(directions), [9, 0], false).expect("compiled");
            println!("{directions} directions\n{words}");
            let spills = words.lines().filter(|line| line.contains("spill"));
            let kernels = spills.inspect(|line| assert!(line.contains(" 0 bytes spill stores")));
            assert_eq!(kernels.count(), PROGRAM.kernels.len());
        }
    }
}
