//! Whole time steps in one launch, for plane flows that fit into the shared memory of one GPU: the
//! same steps as `step.rs`, by the kernel `kernels/fdm/march.cu`.

mod ahead;
mod buffers;
mod lists;
mod numbers;
mod on_device;
mod plan;
pub(crate) mod tiling;
#[cfg(test)]
mod twins;

use vortice_core::{Field, Quantity, Result, State};
use vortice_gpu::{Program, sources};

use crate::moment::Moment;

pub(crate) use ahead::Ahead;
pub(crate) use on_device::OnDevice;

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

/// Most steps of a launch.
pub(crate) const MOST_STEPS: usize = 256;

/// Marches in launches of several steps, and can go back to where the last launch began.
pub(crate) trait Marcher {
    /// Up to `most` steps from `start`, none of which ends later than `latest`.
    fn march(&mut self, start: &Moment, latest: f64, most: usize) -> Result<Vec<Moment>>;
    /// Back to the flow before the last march.
    fn go_back(&mut self) -> Result<()>;
    /// Largest magnitude of each velocity component now, in m/s.
    fn speed(&mut self) -> Result<[f64; 3]>;
    /// Velocity or pressure at the centres of cells.
    fn field(&mut self, quantity: Quantity) -> Result<Field>;
    /// Velocity and pressure, with all halos.
    fn save(&mut self, state: &mut State) -> Result<()>;
    /// The reverse of `save`.
    fn restore(&mut self, state: &State) -> Result<()>;
}
