//! What a case means: checked, in SI units. Its spelling is in [`file`].

mod file;
mod overrides;

use std::path::PathBuf;

use serde::de::DeserializeOwned;

use crate::boundary::Boundaries;
use crate::error::Result;
use crate::exact::ExactFlow;
use crate::grid::Grid;
use crate::solid::{SolidBox, Solids};

pub use overrides::apply_overrides;

/// A flow to be computed.
#[derive(Clone, Debug)]
pub struct Case {
    /// One line for people.
    pub title: String,
    /// Names of the reference tables that the flow is judged against.
    pub references: Vec<String>,
    /// Box and cells.
    pub grid: Grid,
    /// Density in kg/m3.
    pub density: f64,
    /// Kinematic viscosity in m2/s.
    pub viscosity: f64,
    /// Body force per unit mass in m/s2.
    pub force: [f64; 3],
    /// The six faces.
    pub boundaries: Boundaries,
    /// Solid boxes.
    pub solid: Vec<SolidBox>,
    /// The flow at t = 0.
    pub initial: Initial,
    /// Length and velocity that Reynolds number and errors refer to.
    pub scale: FlowScale,
    /// How to run.
    pub run: RunOptions,
    /// What to write.
    pub output: OutputOptions,
    /// Folder that the case file is in, for its `references/`; none for a built-in case.
    pub folder: Option<PathBuf>,
    /// The text that the case was read from, overrides included.
    pub source: String,
}

/// The flow at t = 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Initial {
    /// The same velocity in m/s everywhere.
    Uniform([f64; 3]),
    /// An exact flow at t = 0.
    Exact(ExactFlow),
}

/// The length and velocity of the Reynolds number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowScale {
    /// Length in m.
    pub length: f64,
    /// Velocity in m/s.
    pub velocity: f64,
}

/// Where to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// The best there is.
    Auto,
    /// The processor.
    Cpu,
    /// A GPU, by number.
    Cuda(usize),
}

/// The number type of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Four bytes a number.
    F32,
    /// Eight bytes a number.
    F64,
}

/// When a run ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    /// At a flow time in s.
    Time(f64),
    /// When the flow no longer changes: [`crate::Step::residual`] is below this, in 1/s.
    Steady(f64),
}

/// How to run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOptions {
    /// Name of the method.
    pub method: String,
    /// Where to compute.
    pub device: Device,
    /// Number type.
    pub precision: Precision,
    /// When to stop.
    pub until: Until,
    /// Steps after which the run stops in any case; a steady run has then not converged.
    pub max_steps: u64,
}

/// What to write, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputOptions {
    /// Flow time in s between fields; without it only the first and the last are written.
    pub fields: Option<f64>,
    /// Steps between lines of the history.
    pub history: u64,
    /// Wall-clock seconds between checkpoints.
    pub checkpoint: f64,
    /// Steps between checkpoints; counts beside the seconds if given.
    pub checkpoint_steps: Option<u64>,
    /// Compression level of the fields, 0 (none) to 9.
    pub compression: u8,
}

impl Case {
    /// Solid cells of the grid.
    pub fn solids(&self) -> Solids {
        Solids::new(&self.solid, &self.grid, self.boundaries.periodic())
    }

    /// Reynolds number of the scales.
    pub fn reynolds(&self) -> f64 {
        self.scale.velocity * self.scale.length / self.viscosity
    }

    /// The options table of a method, with the method's defaults for what is not given.
    ///
    /// # Errors
    /// If a key is unknown or has the wrong type; the error points at it in the file.
    pub fn options<T: DeserializeOwned>(&self, method: &str) -> Result<T> {
        file::method_options(&self.source, method)
    }
}
