//! Linear algebra on boxes of cells: geometric multigrid, conjugate gradients and BiCGSTAB for
//! seven-point operators. Iterations are written once over traits ([`Hierarchy`], [`Space`]), with two
//! implementors: processors ([`cpu`]) and GPUs ([`gpu`]).
//!
//! Results are the same bits for any number of ranks and threads and on both devices: leaf operations
//! are functions of values in a fixed order, without fused multiply-adds, and inner products are sums of
//! whole digits, which are exact. Verbs fail if a rank has stopped or a device fails.

mod bicgstab;
mod cg;
mod cycle;
mod exchange;
mod gradients;
mod levels;
mod options;
mod pieces;
mod plan;
mod space;

pub mod cpu;
pub mod gpu;
pub mod scalars;
pub mod stencil;
pub mod sums;

pub use bicgstab::BiCgStab;
pub use cg::{Cg, SingleReductionCg};
pub use cycle::{Colour, Hierarchy, Smoothing, Weight, v_cycle};
pub use exchange::Exchange;
pub use levels::{Level, Levels};
pub use options::{Criterion, PressureSolver};
pub use pieces::Pieces;
pub use plan::{Coarsening, Extent, Plan, Ratios};
pub use scalars::{Formula, Slot, Slots, Status};
pub use space::{Ended, Outcome, Preconditioner, Progress, Space, Stop};
