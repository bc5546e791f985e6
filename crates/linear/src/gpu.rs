//! Vectors, scalars and levels in the memory of a GPU, with the bits of the processor.

mod launches;
mod mirrors;
mod multigrid;
mod pressure;
mod program;
mod reduction;
mod space;
mod vectors;
mod verbs;

pub use launches::{each_entry, is_swept_by_regions};
pub use mirrors::Layout;
pub use multigrid::{Multigrid, Storage};
pub use pressure::{PressureEquation, PressureGradients};
pub use program::{HEADERS, definitions};
pub use space::{DeviceSpace, OnDevice, System};
pub use vectors::Vectors;
pub use verbs::{Pairs, Vector, Verb};
