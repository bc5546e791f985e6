//! What can be said of a computed flow, the same for all methods.
//!
//! Everything here looks at velocity, pressure and temperature at cell centres, which every method reports, and at
//! the case. All that it asks of the method is the slope of the velocity at walls. Of a flow in space
//! few cells are looked at: [`sight()`] says which. Formulas: docs/src/theory/post.md.

mod balances;
mod body_heat;
mod body_nusselt;
mod component;
#[cfg(test)]
mod examples;
mod flow;
mod flux_profile;
mod forces;
mod forces_in_time;
mod heat;
mod heat_balance;
mod interpolation;
mod local_nusselt;
mod oscillation;
mod patch;
mod probe_means;
pub mod references;
mod separation;
mod series;
mod sight;
mod spectrum;
mod stream;
mod surface;
mod tables;
mod trace;
mod vortices;

pub use balances::{FaceFlow, MassBalance, MomentumBalance};
pub use body_heat::BodyHeat;
pub use flow::{Flow, Line, Variable};
pub use flux_profile::FluxProfile;
pub use forces::{Force, ForceParts, Forces};
pub use forces_in_time::{Ends, Extremes, ForceCourse, Moment};
pub use heat::{AlongWall, NusseltProfile, WallHeat};
pub use heat_balance::{FaceHeat, HeatBalance};
pub use local_nusselt::NusseltExtreme;
pub use oscillation::{Oscillation, Spread, Swing};
pub use probe_means::ProbeMeans;
pub use separation::{Separation, Turn, wall_shear};
pub use series::{ForceSeries, Series};
pub use sight::sight;
pub use spectrum::force_spectrum;
pub use stream::StreamFunction;
pub use tables::built_in_tables;
pub use vortice_core::Sampler;
pub use vortices::{Vortex, Vortices};
