//! The linear algebra of the finite volume method: geometric multigrid, conjugate gradients and
//! BiCGSTAB on boxes of cells with seven-point operators. Iterations are written once over traits
//! ([`Hierarchy`], [`Space`]); this crate implements them for processors, another one for GPUs.
//!
//! Results are the same bits for any number of ranks and threads: leaf operations are functions of
//! values in a fixed order, without fused multiply-adds, and inner products are sums of whole
//! digits, which are exact.

mod bicgstab;
mod cg;
mod cut;
mod cycle;
mod domain;
mod error;
mod general;
mod halo;
mod host;
mod layout;
mod levels;
mod multigrid;
mod plan;
mod ranks;
mod space;
mod symmetric;
mod team;

pub mod rows;
pub mod scalars;
pub mod stencil;
pub mod sums;

pub use bicgstab::BiCgStab;
pub use cg::{Cg, SingleReductionCg};
pub use cut::{Cut, Part};
pub use cycle::{Colour, Hierarchy, Smoothing, Weight, v_cycle};
pub use domain::Domain;
pub use error::Error;
pub use general::{Coefficients, General};
pub use host::{Host, Operator};
pub use layout::{Layout, Region};
pub use levels::{Level, Levels};
pub use multigrid::{Finest, Multigrid};
pub use plan::{Coarsening, Extent, Grid, Plan, Ratios};
pub use ranks::{Alone, Ranks};
pub use scalars::{Formula, Slot, Slots, Status};
pub use space::{Ended, Outcome, Progress, Space, Stop};
pub use symmetric::{Preconditioner, Symmetric};
pub use team::{Block, Row, Team};
