//! The kernels of this method, as they are compiled into the program.

use vortice_core::Real;
use vortice_gpu::{Definition, HALO_HEADERS, HALO_KERNELS, Program};

macro_rules! sources {
    ($($more:expr,)* ; $($file:literal,)*) => {
        &[$(($file, include_str!(concat!("../../../../kernels/", $file))),)* $($more,)*]
    };
}

/// All kernels that launch after launch make a time step.
pub(crate) const PROGRAM: Program = Program {
    name: "fdm",
    kernels: sources![
        HALO_KERNELS[0],
        HALO_KERNELS[1],
        HALO_KERNELS[2],
        HALO_KERNELS[3],
        HALO_KERNELS[4],
        HALO_KERNELS[5],
        ;
        "fdm/predict.cu",
        "fdm/predict_adams_bashforth.cu",
        "fdm/predict_outlets.cu",
        "fdm/divergence.cu",
        "fdm/prescribe_pressures.cu",
        "fdm/relax.cu",
        "fdm/relax_and_measure.cu",
        "fdm/relax_tile.cu",
        "fdm/residual.cu",
        "fdm/squares.cu",
        "fdm/project.cu",
        "fdm/project_outlets.cu",
        "fdm/fix.cu",
        "fdm/mirror.cu",
    ],
    headers: sources![
        HALO_HEADERS[0],
        HALO_HEADERS[1],
        ;
        "device.cuh",
        "fdm/boundary.cuh",
        "fdm/equation.cuh",
        "fdm/found.cuh",
        "fdm/interval.cuh",
        "fdm/layout.cuh",
        "fdm/predict.cuh",
        "fdm/stencil.cuh",
        "fdm/sweep.cuh",
        "fdm/tile.cuh",
    ],
};

/// The variant for a number type and 2 or 3 directions.
pub(crate) fn definitions<T: Real>(directions: usize) -> [Definition; 2] {
    let real = if T::NAME == "f32" { "float" } else { "double" };
    [("REAL", real.into()), ("DIRECTIONS", directions.to_string())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_gpu::{compile, resources};

    /// Every variant; without a GPU.
    fn variants() -> impl Iterator<Item = [Definition; 2]> {
        [2, 3].into_iter().flat_map(|n| [definitions::<f32>(n), definitions::<f64>(n)])
    }

    #[test]
    fn every_variant_compiles_for_every_architecture() {
        for definitions in variants() {
            for architecture in [[8, 0], [9, 0], [10, 0]] {
                let compiled = compile(&PROGRAM, &definitions, architecture, false);
                let code = compiled.unwrap_or_else(|error| {
                    panic!("{definitions:?} {architecture:?}: {error}; {}", error.remedy())
                });
                assert!(!code.is_empty());
            }
        }
    }

    #[test]
    fn no_kernel_spills_registers() {
        for definitions in variants() {
            let words = resources(&PROGRAM, &definitions, [9, 0], false).expect("compiled");
            println!("{definitions:?}\n{words}");
            let spills = words.lines().filter(|line| line.contains("spill"));
            let kernels = spills.inspect(|line| assert!(line.contains(" 0 bytes spill stores")));
            assert_eq!(kernels.count(), PROGRAM.kernels.len());
        }
    }
}
