//! The kernel, as it is compiled into the program.

use vortice_gpu::{Program, sources};

/// The kernel and what it includes.
pub(crate) const PROGRAM: Program = Program {
    name: "fdm-march",
    kernels: sources!["fdm/march.cu"],
    headers: sources![
        "device.cuh",
        "fdm/stencil.cuh",
        "fdm/tile.cuh",
        "fdm/boundary_tile.cuh",
        "fdm/kept.cuh",
        "fdm/march.cuh",
        "fdm/step_tile.cuh",
        "fdm/clock.cuh",
    ],
};
