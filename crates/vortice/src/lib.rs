//! A multi-method workbench for incompressible flow.
//!
//! This crate assembles: [`registry`] lists the methods, [`program`](program()) is the command line,
//! [`prelude`] has what a program needs, [`references`] judge a flow. The words (grid, field, case, solver, monitor) are those of
//! [`vortice_core`]; what can be said of a flow is computed by [`vortice_post`]; files are written by
//! [`vortice_output`].
//!
//! ```
//! use vortice::prelude::*;
//!
//! # fn main() -> Result<()> {
//! let sets = ["grid.cells=[8,8,1]", "run.max-steps=20"].map(String::from);
//! let case = open_case("cavity", &sets)?;
//! let last = Simulation::new(&case, &Context::alone())?
//!     .watch(Every::Steps(1), Finite::new("make `fdm.safety` smaller"))
//!     .watch(Every::Steps(10), SteadyState::below(1e-7))
//!     .run()?;
//! assert_eq!(last.steps, 20);
//! println!("{last}");
//! # Ok(())
//! # }
//! ```

mod arguments;
mod commands;
mod failure;
mod known_keys;
pub mod prelude;
mod program;
mod say;

pub use program::program;
pub use vortice_core::Energy;
pub use vortice_post::{
    AlongWall, BodyHeat, Ends, Extremes, FaceFlow, FaceHeat, Flow, FluxProfile, Force, ForceCourse,
    ForceParts, ForceSeries, Forces, HeatBalance, Line, MassBalance, Moment, MomentumBalance,
    NusseltExtreme, NusseltProfile, Oscillation, ProbeMeans, Sampler, Separation, StreamFunction,
    Turn, Variable, Vortex, Vortices, WallHeat, built_in_tables, force_spectrum, references, sight,
    wall_shear,
};
pub use vortice_study::{
    Change, EndInTime, Fields, Goal, Interrupt, Keep, KeepRan, KeepSeen, Progress, Ran, Seen,
    Session, Simulate, Status, VERSION, Way, built_in_cases, case_name, comparison as study,
    open_case, parse_case, registry, validation,
};
