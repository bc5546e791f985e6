//! One GPU: memory, run-time compilation, launches, graphs, halo exchange.
//!
//! The only crate that names CUDA's library. Nothing here is needed to build or run without a GPU:
//! CUDA's driver and its compiler NVRTC are looked for when a GPU is asked for, and what is missing
//! is said in one sentence.
//!
//! Whatever returns a `Result` fails if the device or a kernel launched before has failed, or, where
//! ranks speak to each other, another rank has; what else may go wrong stands at the function.

mod argument;
mod bandwidth;
mod buffer;
mod c_text;
mod choose;
mod delayed_number;
mod driver;
#[cfg(test)]
mod fake;
mod forces;
mod gather;
mod gpu;
mod graph;
mod halo;
mod kernel;
mod kernels;
mod links;
mod memory;
mod mirrored;
mod record;
mod rounds;
mod sent;
mod signature;
mod stream;
mod survey;
#[cfg(test)]
mod tests;
mod thermal_ends;
mod thermal_walls;

pub use argument::{Argument, value};
pub use buffer::Buffer;
pub use choose::replace_devices;
pub use delayed_number::DelayedNumber;
pub use driver::nvrtc::{compile, expect_sound, is_long_suite, resources, seconds_compiling};
pub use driver::{
    Address, Definition, DeviceMessage, Driver, Event, IpcHandle, Kernels, Launch, Launched,
    Mailbox, NcclComm, Options, Program, Properties, Replay, Source, joined, launched, real_name,
};
pub use forces::DeviceForces;
pub use gather::DeviceGather;
pub use gpu::Gpu;
pub use graph::Graph;
pub use halo::DeviceHalo;
pub use kernel::{Kernel, Module};
pub use links::{Links, Way};
pub use mirrored::{assert_plain, differences};
pub use record::{Perform, Recorder};
pub use rounds::{DeviceFlow, DeviceRounds, RoundsOf};
pub use sent::{Sender, Sent};
pub use survey::{Found, Survey, survey, way_between};
pub use thermal_ends::DeviceThermalEnds;
pub use thermal_walls::DeviceThermalWalls;

#[doc(hidden)]
pub use bytemuck;
#[doc(hidden)]
pub use vortice_core::{Real, Result};
