//! Whole time steps in one launch, for plane flows that fit into the shared memory of one GPU: the
//! same steps as `step.rs`, by the kernel `kernels/fdm/march.cu`.

mod ahead;
mod buffers;
mod lists;
mod marcher;
mod numbers;
mod on_device;
mod plan;
mod program;
pub(crate) mod tiling;
#[cfg(test)]
mod twins;

pub(crate) use ahead::Ahead;
pub(crate) use on_device::OnDevice;
