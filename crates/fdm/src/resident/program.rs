//! The kernel, as it is compiled into the program.

use vortice_gpu::{Program, sources};

/// The kernel and what it includes.
pub(crate) const PROGRAM: Program = Program {
    name: "fdm-resident",
    kernels: sources!["fdm/resident.cu"],
    headers: sources![
        "device.cuh",
        "fdm/stencil.cuh",
        "fdm/tile.cuh",
        "fdm/resident/cells.cuh",
        "fdm/resident/boundary.cuh",
        "fdm/resident/registers.cuh",
        "fdm/resident/numbers.cuh",
        "fdm/resident/step.cuh",
        "fdm/resident/clock.cuh",
    ],
};
