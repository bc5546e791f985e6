//! What a program needs: `use vortice::prelude::*`.

pub use vortice_core::{
    Case, Context, Device, Error, Every, Field, Finite, Monitor, Outcome, Quantity, Result,
    Simulation, Snapshot, SteadyState, Step, Verdict,
};
pub use vortice_output::{Checkpoint, History, Recorder};
pub use vortice_post::references::{Comparison, Reference};
pub use vortice_post::{Flow, Line, Variable};

pub use vortice_study::{Keep, Progress, Simulate, open_case};
