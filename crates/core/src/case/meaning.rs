//! What a case means: checked, in SI units.

use std::path::PathBuf;
use std::sync::Arc;

use super::devices::Devices;
use super::film_options::FilmOptions;
use super::force_times::ForceTimes;
use super::initial_flow::Initial;
use super::probe_options::ProbeOptions;
use super::ranks::{Balance, RanksOptions};
use crate::body::Body;
use crate::boundary::Boundaries;
use crate::changing_force::ChangingForce;
use crate::cut::CutPlane;
use crate::expression::Expression;
use crate::extent::Extent;
use crate::format::significant;
use crate::grid::Grid;
use crate::heat::Heat;
use crate::pocket_cells::PocketCells;
use crate::pockets::{Drive, Pockets};
use crate::quantity::Quantity;
use crate::scalar::Scalar;
use crate::solid::{SolidBox, Solids};

/// A flow to be computed.
#[derive(Clone, Debug)]
pub struct Case {
    /// One line for people, `{reynolds}` in it replaced by the number.
    pub title: String,
    /// Names of the reference tables that the flow is judged against, as [`Case::with_numbers`] takes
    /// them.
    pub references: Vec<String>,
    /// Box and cells.
    pub grid: Grid,
    /// Density in kg/m3.
    pub density: f64,
    /// Kinematic viscosity in m2/s.
    pub viscosity: f64,
    /// Body force per unit mass in m/s2, at the time that the case was last asked for: [`Self::at`].
    pub force: [f64; 3],
    /// What it is over time, if it changes.
    pub changing_force: Option<ChangingForce>,
    /// The heat that the flow carries, if it has a temperature.
    pub heat: Option<Heat>,
    /// What it carries beside it.
    pub scalars: Vec<Scalar>,
    /// The six faces.
    pub boundaries: Boundaries,
    /// Solid boxes of whole cells.
    pub solid: Vec<SolidBox>,
    /// Solid bodies of any shape.
    pub bodies: Vec<Arc<Body>>,
    /// What solids close in.
    pub pockets: Pockets,
    /// The flow at t = 0.
    pub initial: Initial,
    /// The velocity in m/s of the exact flow that the case itself gives, [`crate::ExactFlow::Formula`].
    pub exact: Option<Arc<[Expression; 3]>>,
    /// Length and velocity that Reynolds number and errors refer to.
    pub scale: FlowScale,
    /// How to run.
    pub run: RunOptions,
    /// What to write.
    pub output: OutputOptions,
    /// How ranks work together.
    pub ranks: RanksOptions,
    /// What errors call the text: a path, or the name of a built-in case.
    pub name: String,
    /// Folder that the case file is in, for its `references/`; none for a built-in case.
    pub folder: Option<PathBuf>,
    /// The text that the case was read from, overrides included.
    pub source: String,
}

/// The length and velocity of the Reynolds number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowScale {
    /// Length in m.
    pub length: f64,
    /// Velocity in m/s.
    pub velocity: f64,
}

/// The number type of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Four bytes a number.
    F32,
    /// Eight bytes a number.
    F64,
}

impl Precision {
    /// `f32` or `f64`.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Bytes of a number.
    pub fn bytes(self) -> usize {
        match self {
            Self::F32 => size_of::<f32>(),
            Self::F64 => size_of::<f64>(),
        }
    }
}

/// When a run ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    /// At a flow time in s.
    Time(f64),
    /// When the flow is near its end: [`crate::Step::iteration_error`] is below this, a share of the
    /// velocity scale.
    Steady(f64),
}

/// How to run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOptions {
    /// Name of the method.
    pub method: String,
    /// Where the ranks compute.
    pub device: Devices,
    /// Number type.
    pub precision: Precision,
    /// When to stop.
    pub until: Until,
    /// Steps after which the run stops in any case; a steady run has then not converged.
    pub max_steps: u64,
    /// Wall-clock time that it may take, all of its files written.
    pub wall_limit: Option<WallLimit>,
}

/// Wall-clock time that a run may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WallLimit {
    /// In s.
    Seconds(f64),
    /// As long as the batch system lets it.
    Auto,
}

/// What to write, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputOptions {
    /// When fields are written.
    pub fields: OutputTimes,
    /// What is written of them; without it all that there is.
    pub quantities: Option<Vec<Quantity>>,
    /// Cells along each edge of the blocks whose means are written; one: the cells as they are.
    pub coarsen: usize,
    /// The number type that they are written in; without it that of the run.
    pub precision: Option<Precision>,
    /// Steps between lines of the history.
    pub history: u64,
    /// When the forces on bodies are looked at.
    pub forces: ForceTimes,
    /// Wall-clock seconds between checkpoints, of which the end of a run has one too; without them only steps count.
    pub checkpoint: Option<f64>,
    /// Steps between checkpoints; counts beside the seconds if given.
    pub checkpoint_steps: Option<u64>,
    /// Compression level of the fields, 0 (none) to 9.
    pub compression: u8,
    /// Whether the end of a run draws a picture, and a study its own as PNG too.
    pub picture: bool,
    /// The plane of a flow in space that pictures show; see [`Case::plane_shown`].
    pub plane: Option<CutPlane>,
    /// Planes and boxes that are recorded beside the fields.
    pub parts: Vec<OutputPart>,
    /// What is averaged over time, if anything is; see [`Case::statistics`].
    pub statistics: Option<StatisticsOptions>,
    /// What is written at points, if anything is.
    pub probes: Option<ProbeOptions>,
    /// The film that is made, if one is.
    pub film: Option<FilmOptions>,
}

/// A part of the grid that is recorded in a file of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputPart {
    /// In the name of the file; empty for the whole grid.
    pub name: String,
    /// Its cells.
    pub extent: Extent,
    /// When it is written.
    pub times: OutputTimes,
    /// What is written of it.
    pub quantities: Vec<Quantity>,
    /// Cells along each edge of the blocks whose means are written; one: the cells as they are.
    pub coarsen: usize,
}

/// Averages over time.
#[derive(Clone, Debug, PartialEq)]
pub struct StatisticsOptions {
    /// Flow time in s after which samples are taken.
    pub from: f64,
    /// Steps between samples.
    pub steps: u64,
    /// The whole grid under the name [`Self::NAME`]: which averages are written, and when.
    pub part: OutputPart,
}

impl StatisticsOptions {
    /// What the averages are called among the parts that are recorded.
    pub const NAME: &str = "statistics";

    /// What samples are taken of.
    pub fn sampled(&self) -> impl Iterator<Item = Quantity> {
        let mut all: Vec<_> = self.part.quantities.iter().filter_map(|one| one.sampled()).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter()
    }
}

impl OutputOptions {
    /// Whether a run writes checkpoints.
    pub fn has_checkpoints(&self) -> bool {
        self.checkpoint.is_some() || self.checkpoint_steps.is_some()
    }
}

impl FlowScale {
    /// Reynolds number of a kinematic viscosity in m2/s.
    pub fn reynolds(&self, viscosity: f64) -> f64 {
        self.velocity * self.length / viscosity
    }
}

/// When fields are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutputTimes {
    /// At no time.
    Never,
    /// The last state alone.
    Last,
    /// The first and the last state.
    Ends,
    /// Both, and in between whenever so much flow time in s has passed.
    Every(f64),
    /// Both, and in between each so many steps.
    Steps(u64),
}

/// What stands for the Reynolds number in titles and names of references.
pub(crate) const REYNOLDS: &str = "{reynolds}";

/// Stands for the Rayleigh number in the names of tables.
const RAYLEIGH: &str = "{rayleigh}";

impl Case {
    /// The same case with another method.
    #[must_use]
    pub fn method(mut self, name: &str) -> Self {
        self.run.method = name.to_owned();
        self
    }

    /// The same case on another device, or on others.
    #[must_use]
    pub fn device(mut self, device: impl Into<Devices>) -> Self {
        self.run.device = device.into();
        self
    }

    /// The same case with another share of the cells for each rank.
    #[must_use]
    pub fn balance(mut self, balance: Balance) -> Self {
        self.ranks.balance = balance;
        self
    }

    /// The same case with another number type.
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.run.precision = precision;
        self
    }

    /// The same case with another end.
    #[must_use]
    pub fn until(mut self, until: Until) -> Self {
        self.run.until = until;
        self
    }

    /// The same case with another limit to its steps.
    #[must_use]
    pub fn max_steps(mut self, steps: u64) -> Self {
        self.run.max_steps = steps;
        self
    }

    /// The whole grid as a part that is recorded.
    pub fn whole_recorded(&self) -> OutputPart {
        let all = || self.quantities();
        OutputPart {
            name: String::new(),
            extent: Extent::whole(self.grid.cells()),
            times: self.output.fields,
            quantities: self.output.quantities.clone().unwrap_or_else(all),
            coarsen: self.output.coarsen,
        }
    }

    /// What is averaged over time; nothing of a flow that is not followed in time.
    pub fn statistics(&self) -> Option<&StatisticsOptions> {
        self.output.statistics.as_ref().filter(|_| self.is_followed())
    }

    /// Flow time in s between lines of the forces on bodies; nothing of a flow that is not followed in time.
    pub fn forces(&self) -> Option<f64> {
        match self.output.forces {
            ForceTimes::Every(seconds) => Some(seconds).filter(|_| self.is_followed()),
            ForceTimes::Unsaid | ForceTimes::Never => None,
        }
    }

    /// Whether the flow is followed in time: it ends at one.
    pub fn is_followed(&self) -> bool {
        matches!(self.run.until, Until::Time(_))
    }

    /// All that is recorded at some time: the whole grid, its parts, and what is averaged over time.
    pub fn recorded(&self) -> impl Iterator<Item = OutputPart> {
        let all = std::iter::once(self.whole_recorded()).chain(self.output.parts.iter().cloned());
        let all = all.chain(self.statistics().map(|averages| averages.part.clone()));
        all.filter(|part| part.times != OutputTimes::Never)
    }

    /// Solid cells of the grid.
    pub fn solids(&self) -> Solids {
        let solids = Solids::new(&self.solid, &self.bodies, &self.grid, self.boundaries.periodic());
        solids.with_pockets(self.pocket_cells())
    }

    /// Looks for pockets anew, on another grid.
    pub fn close_pockets(&mut self) {
        let begins = match *self.initial.given() {
            Initial::Uniform(velocity) => velocity.map(|u| u != 0.0),
            _ => [true; 3],
        };
        let drive = Drive {
            boundaries: &self.boundaries,
            along: std::array::from_fn(|d| self.pushes()[d] || begins[d]),
            is_stirred: !matches!(self.initial.given(), Initial::Uniform(_)),
        };
        self.pockets = Pockets::new(&self.grid, &self.solid, &self.bodies, &drive);
    }

    /// The pockets of this grid and these solids.
    pub(super) fn pocket_cells(&self) -> Option<&Arc<PocketCells>> {
        self.pockets.of(&self.grid, &self.solid, &self.bodies)
    }

    /// Velocity in m/s at a point (m) of the flow at t = 0.
    pub fn initial_velocity(&self, point: [f64; 3]) -> [f64; 3] {
        self.initial.velocity(point, |flow| flow.velocity(self, point, 0.0))
    }

    /// Pressure in Pa at a point (m) of the flow at t = 0 where it is known, of an exact or a stored flow; else zero.
    pub fn initial_pressure(&self, point: [f64; 3]) -> f64 {
        self.initial.pressure(point, |flow| flow.pressure(self, point, 0.0))
    }

    /// Reynolds number of the scales.
    pub fn reynolds(&self) -> f64 {
        self.scale.reynolds(self.viscosity)
    }

    /// The plane that pictures show: the one that was chosen, else the middle across z.
    pub fn plane_shown(&self) -> CutPlane {
        self.output.plane.unwrap_or_else(|| CutPlane::middle(&self.grid, 2))
    }

    /// A text of the case with its Reynolds number for `{reynolds}` and, of a flow with heat, its Rayleigh number for `{rayleigh}`, in
    /// six digits at most.
    pub fn with_numbers(&self, text: &str) -> String {
        let text = text.replace(REYNOLDS, &significant(self.reynolds()));
        let rayleigh =
            self.heat.as_ref().map(|heat| heat.rayleigh(self.viscosity, self.scale.length));
        rayleigh.map_or(text.clone(), |number| text.replace(RAYLEIGH, &significant(number)))
    }
}
