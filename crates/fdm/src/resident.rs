//! Whole time steps in one launch, for plane flows that fit into the shared memory of one GPU: the
//! same steps as `step.rs`, by the kernel `kernels/fdm/resident.cu`.

mod ahead;
mod buffers;
mod device;
mod launches;
mod lists;
mod numbers;
mod plan;
mod program;
pub(crate) mod tiling;
#[cfg(test)]
mod twins;

pub(crate) use ahead::Ahead;
pub(crate) use device::ResidentDevice;
