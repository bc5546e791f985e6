//! `summary.json`: a run in numbers, for programs.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use vortice_core::{
    Case, Decomposition, Energy, Error, Method, Outcome, Precision, Result, write_beside,
};
use vortice_post::references::{Comparison, Sample};
use vortice_post::{
    BodyHeat, Extremes, Flow, ForceCourse, Forces, HeatBalance, MassBalance, Oscillation,
    ProbeMeans, Vortex, WallHeat,
};

use super::seconds::{Clock, Seconds};
use crate::session::Change;

/// Where the ranks of a run compute, for people and programs.
pub struct RankLocations {
    /// In words.
    pub words: String,
    /// The kind of device.
    pub device: String,
    /// Names of the GPUs, if there are any.
    pub gpus: Option<String>,
}

/// What a run was and how it ended. Numbers that do not exist are null.
#[derive(Serialize)]
pub struct Summary {
    title: String,
    case: String,
    version: &'static str,
    method: &'static str,
    /// What the method chose by itself; empty if nothing.
    scheme: String,
    device: String,
    gpu: Option<String>,
    precision: &'static str,
    ranks: usize,
    layout: [usize; 3],
    grid: [usize; 3],
    cells: usize,
    reynolds: f64,
    steps: u64,
    flow_time: f64,
    iterations: Option<u64>,
    wall_seconds: f64,
    cells_per_second: Option<f64>,
    /// Where the time went; null if the run diverged.
    seconds: Option<Seconds>,
    converged: bool,
    reason: String,
    /// How far a flow that shall be steady is from its end, as a share of the velocity scale.
    iteration_error: Option<f64>,
    /// What the method has to say: name and value.
    findings: BTreeMap<String, f64>,
    /// What makes the run worth less than it looks.
    warnings: Vec<String>,
    references: Vec<Found>,
    #[serde(flatten)]
    flow: Option<LastFlow>,
    /// Means and swings at points.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    probes: Vec<ProbeMeans>,
    /// What who watched it changed, and after which step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<Change>,
}

/// What is said of the last flow.
#[derive(Serialize)]
struct LastFlow {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    vortices: Vec<Vortex>,
    forces: Forces,
    /// Of walls whose temperature is given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    heat: Vec<WallHeat>,
    /// Of bodies and solid boxes that let heat pass.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    body_heat: Vec<BodyHeat>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    oscillations: Vec<Oscillation>,
    /// Of forces that do not repeat themselves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    extremes: Vec<Extremes>,
    #[serde(skip)]
    courses: Vec<ForceCourse>,
    energy: Energy,
    mass_balance: MassBalance,
    /// Of a flow with heat.
    #[serde(skip_serializing_if = "Option::is_none")]
    heat_balance: Option<HeatBalance>,
}

/// What one reference says of the run; `found` has all but profiles one by one.
#[derive(Serialize)]
struct Found {
    name: String,
    citation: String,
    kind: &'static str,
    points: usize,
    max_error: f64,
    rms_error: f64,
    accuracy: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    found: Vec<Sample>,
}

impl Summary {
    /// Of a run that has not begun.
    pub fn new(
        name: &str,
        case: &Case,
        method: &Method,
        scheme: &str,
        cut: &Decomposition,
        place: RankLocations,
    ) -> Self {
        Self {
            title: case.title.clone(),
            case: name.to_string(),
            version: crate::VERSION,
            method: method.name,
            scheme: scheme.to_owned(),
            device: place.device,
            gpu: place.gpus,
            precision: match case.run.precision {
                Precision::F32 => "f32",
                Precision::F64 => "f64",
            },
            ranks: cut.size(),
            layout: cut.ranks,
            grid: cut.cells,
            cells: case.grid.n_cells(),
            reynolds: case.reynolds(),
            steps: 0,
            flow_time: 0.0,
            iterations: None,
            wall_seconds: 0.0,
            cells_per_second: None,
            seconds: None,
            converged: false,
            reason: String::new(),
            iteration_error: None,
            findings: BTreeMap::new(),
            warnings: Vec::new(),
            references: Vec::new(),
            flow: None,
            probes: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Of a run that ended, well or early, with its last flow and the energies of it.
    pub fn ended(
        mut self,
        flow: &Flow<'_>,
        energy: Energy,
        outcome: &Outcome,
        comparisons: &[Comparison],
    ) -> Self {
        self.steps = outcome.step.number;
        self.flow_time = outcome.step.time;
        self.iterations = Some(outcome.iterations);
        self.wall_seconds = outcome.wall_seconds;
        self.cells_per_second = Some(outcome.cells_per_second());
        self.converged = outcome.converged;
        self.reason = outcome.reason.clone();
        self.iteration_error = outcome.iteration_error(flow.case);
        self.findings = outcome.findings.iter().cloned().collect();
        let mass_balance = MassBalance::of(flow);
        let heat_balance = HeatBalance::of(flow);
        let unbalanced = heat_balance.as_ref().and_then(HeatBalance::warning);
        let unbalanced = mass_balance.warning().into_iter().chain(unbalanced);
        self.warnings = outcome.warnings.iter().cloned().chain(unbalanced).collect();
        self.references = comparisons.iter().map(Found::from).collect();
        let repeated = flow.courses.iter().filter_map(ForceCourse::oscillation);
        let once = flow.courses.iter().filter_map(ForceCourse::extremes);
        self.flow = Some(LastFlow {
            vortices: flow.vortices().vortices.clone(),
            forces: Forces::of(flow),
            heat: WallHeat::all(flow),
            body_heat: BodyHeat::all(flow),
            oscillations: repeated.cloned().collect(),
            extremes: once.cloned().collect(),
            courses: flow.courses.clone(),
            energy,
            mass_balance,
            heat_balance,
        });
        self
    }

    /// With means and swings at points.
    pub fn with_probes(self, probes: Vec<ProbeMeans>) -> Self {
        Self { probes, ..self }
    }

    /// Of a run that was changed on the way.
    pub fn changed(self, changes: Vec<Change>) -> Self {
        Self { changes, ..self }
    }

    /// What was changed on the way.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Means and swings at points.
    pub fn probes(&self) -> &[ProbeMeans] {
        &self.probes
    }

    /// With what its parts took up to now.
    pub fn timed(self, clock: &Clock, outcome: &Outcome) -> Self {
        Self { seconds: Some(clock.seconds(outcome)), ..self }
    }

    /// Where the time went.
    pub fn seconds(&self) -> Option<&Seconds> {
        self.seconds.as_ref()
    }

    /// What walls whose temperature is given give to the fluid.
    pub fn heat(&self) -> &[WallHeat] {
        self.flow.as_ref().map_or(&[], |flow| &flow.heat)
    }

    /// What bodies and solid boxes give to the fluid.
    pub fn body_heat(&self) -> &[BodyHeat] {
        self.flow.as_ref().map_or(&[], |flow| &flow.body_heat)
    }

    /// What heat flows into the box and out of it, of a flow with heat.
    pub fn heat_balance(&self) -> Option<&HeatBalance> {
        self.flow.as_ref()?.heat_balance.as_ref()
    }

    /// What the forces on bodies did over time.
    pub fn courses(&self) -> &[ForceCourse] {
        self.flow.as_ref().map_or(&[], |flow| &flow.courses)
    }

    /// What makes the run worth less than it looks.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// What enters and does not leave, as a share; nothing if nothing flows through the box.
    pub fn imbalance(&self) -> Option<f64> {
        self.flow.as_ref()?.mass_balance.share()
    }

    /// Of a run that diverged at a step and flow time.
    pub fn diverged(mut self, step: u64, time: f64, wall: Duration, error: &Error) -> Self {
        self.steps = step;
        self.flow_time = time;
        self.wall_seconds = wall.as_secs_f64();
        self.reason = error.to_string();
        self
    }

    /// Writes the file, beside and then in place of an older one.
    pub fn write(&self, path: &Path) -> Result<()> {
        write_beside(path, |file| {
            serde_json::to_writer_pretty(&mut *file, self)?;
            file.write_all(b"\n")
        })
    }
}

impl From<&Comparison> for Found {
    fn from(one: &Comparison) -> Self {
        let single = one.kind != "profile";
        Self {
            name: one.name.clone(),
            citation: one.citation.clone(),
            kind: one.kind,
            points: one.points,
            max_error: one.max_error,
            rms_error: one.rms_error,
            accuracy: one.accuracy,
            found: if single { one.samples.clone() } else { Vec::new() },
        }
    }
}
