//! What a program needs: `use vortice::prelude::*`.

pub use vortice_core::{
    Case, Context, Device, Error, Every, Field, Finite, Monitor, Outcome, Quantity, Result,
    Simulation, Snapshot, SteadyState, Step, Verdict,
};
pub use vortice_output::{Checkpoint, History, Recorder};

pub use crate::embedded::open_case;
pub use crate::flow::{Flow, Line, Variable};
pub use crate::keep::Keep;
pub use crate::progress::Progress;
pub use crate::references::{Comparison, Reference};
pub use crate::simulate::Simulate;
