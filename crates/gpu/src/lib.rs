//! One GPU: memory, run-time compilation, launches, graphs, halo exchange.
//!
//! The only crate that names CUDA's library. Nothing here is needed to build or run without a GPU:
//! CUDA's driver and its compiler NVRTC are looked for when a GPU is asked for, and what is missing
//! is said in one sentence.

mod argument;
mod bandwidth;
mod buffer;
mod c_text;
mod cache;
mod choose;
mod cuda;
mod driver;
#[cfg(test)]
mod fake;
mod gather;
mod gpu;
mod graph;
mod halo;
mod kernel;
mod kernels;
mod links;
mod mirrored;
mod news;
mod nvrtc;
mod options;
mod program;
mod record;
mod signature;
mod survey;
#[cfg(test)]
mod tests;

pub use argument::{Argument, value};
pub use buffer::Buffer;
pub use choose::replace_devices;
pub use driver::{Address, Driver, Export, Kernels, Launch, Mark, Post, Properties, Replay};
pub use gather::DeviceGather;
pub use gpu::Gpu;
pub use graph::Graph;
pub use halo::DeviceHalo;
pub use kernel::{Kernel, Module};
pub use links::{Links, Messenger, Parcel, Way};
pub use mirrored::{assert_plain, differences};
pub use news::News;
pub use nvrtc::{compile, expect_sound, resources};
pub use options::Options;
pub use program::{Definition, Program, Source, joined};
pub use record::{Perform, Recorder};
pub use survey::{Found, Survey, survey, way_between};

#[doc(hidden)]
pub use bytemuck;
#[doc(hidden)]
pub use vortice_core::{Real, Result};
