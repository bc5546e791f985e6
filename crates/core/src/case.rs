//! What a case means: checked, in SI units. Its spelling is in [`file`].

mod check;
mod devices;
mod face;
mod faces;
mod file;
mod flow_keys;
mod keys;
mod obstacles;
mod overrides;
mod ranks;
mod tables;
mod text;
mod three;
mod warnings;

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::boundary::Boundaries;
use crate::cut::CutPlane;
use crate::digits::significant;
use crate::error::{Error, Result};
use crate::exact::ExactFlow;
use crate::grid::Grid;
use crate::solid::{SolidBox, Solids};

use text::CaseText;

pub use devices::{Device, Devices};
pub use flow_keys::flow_keys;
pub use keys::known_keys;
pub use overrides::apply_overrides;
pub use ranks::{Balance, RanksOptions, Transport};
pub use tables::name_methods;

/// A flow to be computed.
#[derive(Clone, Debug)]
pub struct Case {
    /// One line for people, `{reynolds}` in it replaced by the number.
    pub title: String,
    /// Names of the reference tables that the flow is judged against, as [`Case::with_reynolds`] takes
    /// them.
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
    /// How ranks work together.
    pub ranks: RanksOptions,
    /// What errors call the text: a path, or the name of a built-in case.
    pub name: String,
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
    /// The plane of a flow in space that pictures show; see [`Case::plane_shown`].
    pub plane: Option<CutPlane>,
}

impl FlowScale {
    /// Reynolds number of a kinematic viscosity in m2/s.
    pub fn reynolds(&self, viscosity: f64) -> f64 {
        self.velocity * self.length / viscosity
    }
}

/// What stands for the Reynolds number in titles and names of references.
pub(crate) const REYNOLDS: &str = "{reynolds}";

impl Case {
    /// Reads a case from its text; `name` is what errors call the text.
    ///
    /// # Errors
    /// If the text is not TOML, if a key is unknown, missing or of the wrong type, or if a value
    /// makes no sense: [`Error::Case`], pointing at the place.
    pub fn parse(text: &str, name: &str) -> Result<Self> {
        let page = CaseText::parse(text, name)?;
        let case = check::check(&page.decode()?, &page)?;
        Ok(Self { name: name.to_owned(), source: text.to_owned(), ..case })
    }

    /// Reads a case file.
    ///
    /// # Errors
    /// As [`Case::parse`], and [`Error::File`] if the file cannot be read.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        Self::read_with(path, &[])
    }

    /// Reads a case file and applies `key.path=value` settings to it first.
    ///
    /// # Errors
    /// As [`Case::read`] and [`apply_overrides`].
    pub fn read_with(path: impl AsRef<Path>, sets: &[String]) -> Result<Self> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = apply_overrides(&read_text(path)?, &name, sets)?;
        let folder = path.parent().map(Path::to_path_buf);
        Ok(Self { folder, ..Self::parse(&text, &name)? })
    }

    /// The same case with `key.path=value` settings applied to its text.
    ///
    /// Choices made by the methods of this type, like [`Case::device`], are not in the text and
    /// are lost.
    ///
    /// # Errors
    /// As [`Case::parse`] and [`apply_overrides`].
    pub fn with(&self, sets: &[String]) -> Result<Self> {
        let text = apply_overrides(&self.source, &self.name, sets)?;
        Ok(Self { folder: self.folder.clone(), ..Self::parse(&text, &self.name)? })
    }

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

    /// Solid cells of the grid.
    pub fn solids(&self) -> Solids {
        Solids::new(&self.solid, &self.grid, self.boundaries.periodic())
    }

    /// Velocity in m/s at a point (m) of the flow at t = 0.
    pub fn initial_velocity(&self, point: [f64; 3]) -> [f64; 3] {
        match &self.initial {
            Initial::Uniform(velocity) => *velocity,
            Initial::Exact(flow) => flow.velocity(self, point, 0.0),
        }
    }

    /// Reynolds number of the scales.
    pub fn reynolds(&self) -> f64 {
        self.scale.reynolds(self.viscosity)
    }

    /// The plane that pictures show: the one that was chosen, else the middle across z.
    pub fn plane_shown(&self) -> CutPlane {
        self.output.plane.unwrap_or_else(|| CutPlane::middle(&self.grid, 2))
    }

    /// A text of the case with its Reynolds number for `{reynolds}`, in six digits at most.
    pub fn with_reynolds(&self, text: &str) -> String {
        text.replace(REYNOLDS, &significant(self.reynolds()))
    }

    /// Refuses tables of no method: it may have been read before anybody said which methods there are.
    ///
    /// # Errors
    /// If there is such a table; the error points at it in the file.
    pub fn check_tables(&self) -> Result<()> {
        CaseText::parse(&self.source, &self.name)?.check_tables()
    }

    /// The options table of a method or of a kind of device (`gpu`), with its defaults for what is
    /// not given.
    ///
    /// # Errors
    /// If a key is unknown or has the wrong type; the error points at it in the file.
    pub fn options<T: DeserializeOwned>(&self, table: &str) -> Result<T> {
        CaseText::parse(&self.source, &self.name)?.decode_table(table)
    }
}

fn read_text(path: &Path) -> Result<String> {
    if path.is_dir() {
        return Err(Error::file(path, "is a folder", "name the case file in it, *.toml"));
    }
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            // What is not there is a slip in the command, and no fault of the disk.
            let remedy = "check the path; `vortice cases` lists the cases that are built in".into();
            let argument = path.display().to_string();
            Error::Command { argument, problem: "there is no such file".into(), remedy }
        }
        _ => Error::file(path, error, "check that the file can be read"),
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        let problem = format!("byte {byte} is not UTF-8 text");
        Error::file(path, problem, "save the case file as UTF-8")
    })
}
